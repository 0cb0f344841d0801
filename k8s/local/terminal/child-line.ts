/** A child's log line as a person reads it: time, role, message, the other facts behind it. Anything else is shown as it is. */
export function childLineText(line: string): { readonly level: string; readonly text: string } {
  const parsed = parse(line);
  if (parsed === undefined) return { level: 'info', text: `  ${printable(line)}` };
  const { level, time, role, msg, pid: _, err, ...rest } = parsed;
  const facts = Object.entries(rest).map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const head = `  ${text(time).slice(11, 19)} ${text(role)}: ${text(msg)}`;
  return { level: text(level), text: [[head, ...facts].join('  '), ...errorLines(err)].map(printable).join('\n') };
}

/** A value from outside must not move the cursor or paint the terminal. */
function printable(value: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what this is about
  return value.replaceAll(/[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/g, '\u00b7');
}

const stackLinesMax = 8;

function parse(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function errorLines(error: unknown): string[] {
  if (typeof error !== 'object' || error === null) return [];
  const { stack, message } = error as { stack?: unknown; message?: unknown };
  return (text(stack) || text(message))
    .split('\n')
    .slice(0, stackLinesMax)
    .map((part) => `    ${part}`);
}
