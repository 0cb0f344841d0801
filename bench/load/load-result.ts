/** What one measured run of a load generator came to. */
export interface LoadResult {
  readonly operations: number;
  /** Operations per second. */
  readonly rate: number;
  readonly p50Ms?: number;
  readonly p99Ms?: number;
  /** CPU of the load generator itself. */
  readonly driverCpuUs: number;
}
