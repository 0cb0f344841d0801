import type { Metrics } from '../proto/process/metrics.ts';

/** The families that requests are counted in. `route` is a declared path, never what a client wrote; `status` is a class such as `2xx`, or `gone`. */
export type GatewayMetrics = ReturnType<typeof gatewayMetrics>;

export function gatewayMetrics(metrics: Metrics) {
  return {
    requests: metrics.counter({
      name: 'http_requests_total',
      help: 'Requests answered, or left by their client (gone).',
      labels: ['method', 'route', 'status'],
    }),
    seconds: metrics.histogram({ name: 'http_request_seconds', help: 'Time from the head of a request to its answer.', labels: ['method', 'route'] }),
  };
}

/** Values that are asked for when the metrics are read. */
export function observeGateway(metrics: Metrics, sources: ObservedSources): void {
  metrics.gauge({ name: 'http_requests_in_flight', help: 'Requests that have no answer yet.', labels: [], collect: () => sources.server.inFlight });
  metrics.gauge({
    name: 'http_body_bytes',
    help: 'Memory held by request bodies that are still arriving.',
    labels: [],
    collect: () => sources.server.bodyBudget.bytes,
  });
  metrics.gauge({
    name: 'lanes_ready',
    help: 'Lanes to stores that take calls.',
    labels: [],
    collect: () => sum(sources.lanes, (lane) => Number(lane.ready)),
  });
  metrics.gauge({
    name: 'lane_calls_outstanding',
    help: 'Calls on lanes that have no answer yet.',
    labels: [],
    collect: () => sum(sources.lanes, outstanding),
  });
  metrics.gauge({
    name: 'lane_queued_bytes',
    help: 'Bytes that wait for room on a lane.',
    labels: [],
    collect: () => sum(sources.lanes, (lane) => lane.queuedBytes),
  });
}

/** Narrow views of the server and the lanes. */
export interface ObservedSources {
  readonly server: { readonly inFlight: number; readonly bodyBudget: { readonly bytes: number } };
  readonly lanes: { stats(): readonly ObservedLane[] };
}

interface ObservedLane {
  readonly ready: boolean;
  readonly outstanding: Readonly<Record<string, number>>;
  readonly queuedBytes: number;
}

function sum(lanes: ObservedSources['lanes'], of: (lane: ObservedLane) => number): number {
  return lanes.stats().reduce((total, lane) => total + of(lane), 0);
}

function outstanding(lane: ObservedLane): number {
  return Object.values(lane.outstanding).reduce((total, count) => total + count, 0);
}
