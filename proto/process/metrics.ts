import { AggregatorRegistry, Counter, Gauge, Histogram, Registry, collectDefaultMetrics, type Aggregator, type Metric } from 'prom-client';

/** The metrics of one process. A name is given without its prefix: `requests_total` becomes `svc_requests_total`. */
export interface Metrics {
  counter<Label extends string>(definition: MetricDefinition<Label>): CounterFamily<Label>;
  gauge<Label extends string>(definition: GaugeDefinition<Label>): GaugeFamily<Label>;
  histogram<Label extends string>(definition: HistogramDefinition<Label>): HistogramFamily<Label>;
  /** What Prometheus reads. */
  text(): Promise<string>;
  /** The same as data, to be sent to the supervisor. */
  json(): Promise<MetricsJson>;
}

export interface MetricDefinition<Label extends string> {
  readonly name: string;
  readonly help: string;
  /** The label names; each must take a bounded set of values. Empty for a metric without labels. */
  readonly labels: readonly Label[];
}

export interface GaugeDefinition<Label extends string> extends MetricDefinition<Label> {
  /** Called when the metrics are read, for values that are cheaper to ask than to keep (gauges without labels). */
  readonly collect?: () => number;
}

export interface HistogramDefinition<Label extends string> extends MetricDefinition<Label> {
  /** Upper bounds, rising; absent: `secondsBuckets`. */
  readonly buckets?: readonly number[];
}

/** `labels` binds a child once, so that a hot path pays some 200 ns for an update and makes no object. */
export interface CounterFamily<Label extends string> {
  labels(values: Record<Label, string>): { inc(by?: number): void };
  inc(by?: number): void;
}

export interface GaugeFamily<Label extends string> {
  labels(values: Record<Label, string>): { set(value: number): void; inc(by?: number): void; dec(by?: number): void };
  set(value: number): void;
  inc(by?: number): void;
  dec(by?: number): void;
}

export interface HistogramFamily<Label extends string> {
  labels(values: Record<Label, string>): { observe(value: number): void };
  observe(value: number): void;
}

/** Request times from half a millisecond to ten seconds. */
const secondsBuckets: readonly number[] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export const metricsContentType = Registry.PROMETHEUS_CONTENT_TYPE;

/** One metric as data. */
export interface MetricJson {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly aggregator: string;
  readonly values: readonly { readonly value: number; readonly metricName?: string; readonly labels: Readonly<Record<string, string | number>> }[];
}

export type MetricsJson = readonly MetricJson[];

/** The metrics of a process that plays `role`, with Node's own (CPU, memory, event-loop delay, garbage collection, handles). */
export function createMetrics(role: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ role });
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    counter: ({ name, help, labels }) => new Counter({ name: prefixed(name), help, labelNames: [...labels], registers }),
    gauge: ({ name, help, labels, collect }) => new Gauge({ name: prefixed(name), help, labelNames: [...labels], registers, ...collecting(collect) }),
    histogram: ({ name, help, labels, buckets = secondsBuckets }) =>
      new Histogram({ name: prefixed(name), help, labelNames: [...labels], registers, buckets: [...buckets] }),
    text: () => registry.metrics(),
    json: async () => (await registry.getMetricsAsJSON()) as unknown as MetricsJson,
  };
}

/** `metrics` with `labels` on every value, ready to stand beside those of other processes. */
export function labelled(metrics: MetricsJson, labels: Readonly<Record<string, string>>): MetricsJson {
  return metrics.map((metric) => ({
    ...metric,
    // The values of two processes differ in their labels, so nothing has to be added up, and nothing need be left out.
    aggregator: 'first' satisfies Aggregator,
    values: metric.values.map((value) => ({ ...value, labels: { ...value.labels, ...labels } })),
  }));
}

/** The metrics of many processes as one text; values with equal labels are added up (gauges as their definition says). */
export function aggregate(all: readonly MetricsJson[]): Promise<string> {
  return AggregatorRegistry.aggregate([...all]).metrics();
}

function prefixed(name: string): string {
  return `svc_${name}`;
}

function collecting<Label extends string>(collect: (() => number) | undefined): { collect?: (this: Metric<Label>) => void } {
  if (collect === undefined) return {};
  return {
    collect() {
      (this as Gauge<Label>).set(collect());
    },
  };
}
