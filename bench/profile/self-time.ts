import { repositoryRoot } from '../repository-root.ts';

/** A CPU profile as V8 gives it. */
export interface CpuProfile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: CallFrame }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

interface CallFrame {
  readonly functionName: string;
  readonly url: string;
  readonly lineNumber: number;
}

const TOP = 20;

/** The functions in which the most time was spent, as text: shares are of busy time, idle left out. */
export function selfTime(title: string, profile: CpuProfile): string {
  const names = new Map(profile.nodes.map((node) => [node.id, frameName(node.callFrame)]));
  const spent = new Map<string, number>();
  for (const [index, id] of profile.samples.entries()) {
    const name = names.get(id) ?? '(unknown)';
    spent.set(name, (spent.get(name) ?? 0) + (profile.timeDeltas[index] ?? 0));
  }
  const total = [...spent.values()].reduce((sum, us) => sum + us, 0);
  const idle = spent.get('(idle)') ?? 0;
  const busy = Math.max(1, total - idle);
  const top = [...spent]
    .filter(([name]) => name !== '(idle)')
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, TOP);
  const head = `${title}: ${(total / 1e6).toFixed(1)} s sampled, ${((100 * busy) / Math.max(1, total)).toFixed(0)} % busy; self time, share of busy`;
  return [head, ...top.map(([name, us]) => `${((100 * us) / busy).toFixed(1).padStart(6)} %  ${name}`)].join('\n');
}

function frameName(frame: CallFrame): string {
  const name = frame.functionName === '' ? '(anonymous)' : frame.functionName;
  if (frame.url === '') return name;
  const place = frame.url.replace(new URL('dist/', repositoryRoot).href, '').replace(repositoryRoot.href, '');
  return `${name}  ${place}:${frame.lineNumber + 1}`;
}
