import { parseArgs } from 'node:util';
import { Service } from './cluster/service.ts';
import { BenchFailure } from './failure.ts';
import { INSPECTABLE } from './profile/inspector.ts';
import { writeReadmeSection } from './report/readme.ts';
import { runMain } from './run-main.ts';
import { soakCluster, STRICT } from './soak/soak-cluster.ts';
import { soakReport } from './soak/soak-report.ts';

const PUBLISHED_MINUTES = 5;
const INTERVAL_MS = 5000;
const LOAD = { records: 10_000, connections: 64 } as const;

// `npm run soak [-- --minutes 5]`: a full mixed load; fails when anything that must stay level rises.
await runMain(async (session) => {
  const minutes = parseMinutes(process.argv.slice(2));
  session.progress('starting a cluster as npm start does');
  const service = session.use(await Service.start({ environment: INSPECTABLE }));
  const result = await soakCluster({
    target: service,
    load: LOAD,
    durationMs: minutes * 60_000,
    intervalMs: INTERVAL_MS,
    tolerance: STRICT,
    progress: (line) => session.progress(line),
  });
  const text = soakReport(result);
  if (minutes >= PUBLISHED_MINUTES) await writeReadmeSection('soak', text);
  if (result.findings.some((finding) => finding.verdict === 'rises')) throw new BenchFailure(text);
  return text;
});

function parseMinutes(args: readonly string[]): number {
  const { values } = parseArgs({ args: [...args], options: { minutes: { type: 'string', default: `${PUBLISHED_MINUTES}` } } });
  const minutes = Number(values.minutes);
  if (!(minutes >= 0.25 && minutes <= 24 * 60)) throw new BenchFailure('--minutes takes a number from 0.25 to 1440');
  return minutes;
}
