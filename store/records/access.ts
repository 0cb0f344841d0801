import { isPrivileged, type Principal } from '../principal/principal.ts';
import type { Sight } from './shape/document.ts';
import type { RecordShape } from './shape/shape.ts';

/** What `principal` sees of a record: hidden fields are for root and the admin key alone. */
export function sightOf(shape: RecordShape, principal: Principal): Sight {
  return shape.hasHidden && isPrivileged(principal) ? 'full' : 'public';
}
