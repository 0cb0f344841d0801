import { logVerbosity, setLogVerbosity } from '@grpc/grpc-js';

/** grpc-js writes to standard error by itself; all that it would say there comes to us as an error, too, and is logged as ours. */
export function quietTransport(): void {
  setLogVerbosity(logVerbosity.NONE);
}
