import { fail } from '../../proto/errors/svc-error.ts';
import type { RecordShape } from './shape/shape.ts';

/** A record's entity tag: the catalogue's version, then the record's (CONTRACT section 3). */
export function entityTag(shape: RecordShape, seq: string): string {
  return `"${shape.schema.version}.${seq}"`;
}

/** Whether If-None-Match (RFC 9110, 13.1.2) names `tag`. */
export function isNamed(ifNoneMatch: string, tag: string): boolean {
  return tagsOf(ifNoneMatch).some((named) => named === '*' || named.replace(/^W\//, '') === tag);
}

/** Fails with `precondition_failed` unless If-Match (RFC 9110, 13.1.1) is absent or names the record version `seq`. */
export function requireMatch(ifMatch: string, seq: string): void {
  if (ifMatch === '') return;
  const isMet = tagsOf(ifMatch).some((named) => named === '*' || /^"\d+\.(\d+)"$/.exec(named)?.[1] === seq);
  if (!isMet) fail('precondition_failed');
}

function tagsOf(header: string): readonly string[] {
  return header === '' ? [] : header.split(',').map((tag) => tag.trim());
}
