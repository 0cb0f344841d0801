import { styleText } from 'node:util';
import { childLineText } from './child-line.ts';
import type { Reporter } from './report.ts';

type Style = Parameters<typeof styleText>[0];

/** Writes for a person; on a terminal with colours and a line for what is going on, else plain lines. */
export function terminalReporter(out: NodeJS.WriteStream): Reporter {
  const isTerminal = out.isTTY;
  const paint = (style: Style, text: string): string => (isTerminal && out.hasColors() ? styleText(style, text) : text);
  let pending = false;
  let isReady = false;
  const line = (text: string): void => {
    out.write(`${pending ? clearLine : ''}${text}\n`);
    pending = false;
  };
  return {
    begin(text) {
      if (!isTerminal) return line(`  … ${text}`);
      out.write(`${pending ? clearLine : ''}  ${paint('dim', `… ${text}`)}`);
      pending = true;
    },
    done: (text) => line(`  ${paint('green', '✔')} ${text}`),
    note: (text) => line(`  ${paint('dim', text)}`),
    warn: (text) => line(`  ${paint('yellow', '!')} ${text}`),
    error: (text) => line(`  ${paint('red', '✖')} ${text}`),
    ready({ seconds, places }) {
      isReady = true;
      const width = Math.max(...places.map(([name]) => name.length));
      line('');
      line(`  ${paint('bold', `svc is ready`)} ${paint('dim', `after ${seconds}`)}`);
      line('');
      for (const [name, place] of places) line(`  ${paint('dim', name.padEnd(width))}  ${name === 'API' ? paint('cyan', place) : place}`);
      line('');
    },
    // Not on a terminal the children's own JSON lines go straight to the same place as ours.
    ...(isTerminal ? { childLine: (text: string) => (isReady || !isChatter(text)) && showChildLine(text, { paint, line }) } : {}),
  };
}

/** Back to the first column, and clear to the end. */
const clearLine = '\r\u001b[K';

interface Surface {
  readonly paint: (style: Style, text: string) => string;
  readonly line: (text: string) => void;
}

/** While everything starts, each child tells what it does; a person wants to know when all is done. */
function isChatter(json: string): boolean {
  return json.startsWith('{"level":"info"');
}

function showChildLine(json: string, { paint, line }: Surface): void {
  const { level, text } = childLineText(json);
  if (level === 'debug' || level === 'trace') return line(paint('dim', text));
  line(level === 'info' ? text : paint(level === 'warn' ? 'yellow' : 'red', text));
}
