import { markdownTable } from '../report/markdown.ts';
import type { SoakResult } from './soak-cluster.ts';
import { WINDOW_FROM, type Finding } from './verdict.ts';

/** The result of a soak as Markdown. */
export function soakReport(result: SoakResult): string {
  const rising = result.findings.filter((finding) => finding.verdict === 'rises').map((finding) => finding.what);
  return [
    `${result.requests.toLocaleString('en')} requests in ${result.seconds.toFixed(0)} s (${Math.round(result.requests / result.seconds).toLocaleString('en')}/s), ` +
      `none refused; ${result.samples} samples, judged from ${WINDOW_FROM * 100} % of the time to the end.`,
    rising.length === 0 ? '**Nothing rises.**' : `**Rising: ${rising.join(', ')}.**`,
    markdownTable(['what', 'mean', 'rise over the window', 'allowed', 'certainty', 'verdict'], result.findings.map(row)),
  ].join('\n\n');
}

function row(finding: Finding): string[] {
  const show = (value: number): string => (finding.unit === 'bytes' ? `${(value / 1e6).toFixed(2)} MB` : value.toFixed(1));
  return [finding.what, show(finding.mean), show(finding.rise), show(finding.allowed), finding.certainty.toFixed(1), finding.verdict];
}
