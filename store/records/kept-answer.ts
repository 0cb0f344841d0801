import { memberTexts } from '../../proto/values/json.ts';
import { sightOf } from './access.ts';
import type { RecordAnswer } from './deps.ts';
import type { RecordShape } from './shape/shape.ts';
import type { WriteRequest } from './write-request.ts';

const systemMembers: ReadonlySet<string> = new Set(['id', 'created_at', 'updated_at']);

/** The answer that was kept for a key shows what its caller saw then; fields that have been hidden since are left out. */
export function asSeenNow(shape: RecordShape, { principal, idempotencyKey }: WriteRequest, answer: RecordAnswer): RecordAnswer {
  if (idempotencyKey === '' || !shape.hasHidden || answer.body === '' || sightOf(shape, principal) === 'full') return answer;
  const shown = [...memberTexts(answer.body)].filter(([name]) => systemMembers.has(name) || shape.byName.get(name)?.isHidden === false);
  return { ...answer, body: `{${shown.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}` };
}
