import type { Ids } from '../../proto/values/ids.ts';
import type { Clock } from '../../proto/values/time.ts';
import type { Attempts } from '../attempts/attempts.ts';
import type { Catalogue } from '../collections/catalogue.ts';
import type { Hashing } from '../credentials/passwords.ts';
import type { SearchIndexes } from '../collections/search/search-indexes.ts';
import type { BodyDigest } from '../idempotency/body-digest.ts';
import type { Database } from '../postgres/database.ts';
import type { Principal } from '../principal/principal.ts';
import type { Cursors } from './list/cursors.ts';
import type { RowQueue } from './row-queue.ts';
import type { Shapes } from './shape/shape.ts';

/** What the record use cases stand on. */
export interface RecordDeps {
  readonly database: Database;
  readonly catalogue: Catalogue;
  readonly shapes: Shapes;
  readonly rowQueue: RowQueue;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly hashing: Hashing;
  readonly attempts: Attempts;
  readonly digest: BodyDigest;
  readonly cursors: Cursors;
  readonly searchIndexes: SearchIndexes;
}

/** What every record request brings. */
export interface RecordRequest {
  readonly principal: Principal;
  readonly collection: string;
  /** The query string, without its question mark. */
  readonly query: string;
  /** The header lines, `name: value` each. */
  readonly headers: string;
  /** False once the caller has gone; what has not begun by then need not begin. */
  readonly isWanted: boolean;
  readonly requestId: string;
}

/** An answer, ready to be sent: status, JSON text (empty where there is no body) and entity tag (empty where there is none). */
export interface RecordAnswer {
  readonly status: number;
  readonly body: string;
  readonly etag: string;
}
