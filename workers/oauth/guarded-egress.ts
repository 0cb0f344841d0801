import type { EgressClient } from '../egress/egress-client.ts';
import type { Egress } from './egress.ts';

/** The guarded client as this room uses it: an answer that had to be cut is none. */
export function guardedEgress(client: Pick<EgressClient, 'request'>): Egress {
  return {
    request: async (input) => {
      const { status, headers, body, isCut } = await client.request(input);
      if (isCut) throw new RangeError('the answer is larger than it may be');
      return { status, headers: { ...headers }, body };
    },
  };
}
