import type { ClusterProcess } from '../cluster/processes.ts';

/** A running cluster that can be soaked. Its processes must have been started inspectable. */
export interface SoakTarget {
  readonly host: string;
  readonly port: number;
  readonly baseUrl: string;
  readonly adminKey: string;
  processes(): readonly ClusterProcess[];
  /** Where the metrics of the whole cluster are read; left out, they are not watched. */
  readonly metricsUrl?: string;
  /** Client connections that its Postgres has open; left out, they are counted among `processes`. */
  postgresConnections?(): number;
}
