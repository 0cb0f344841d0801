import assert from 'node:assert/strict';
import { test } from 'node:test';
import { looseMetrics } from './laws/metric-declarations.ts';
import { requireNone, whatOf } from './tree/finding.ts';
import { projectRoot } from './tree/project-root.ts';
import { projectSources } from './tree/project-sources.ts';
import { Source } from './tree/source.ts';

test('every metric says what it counts, and callers cannot fill its labels', () => {
  requireNone(
    looseMetrics(projectSources(projectRoot())),
    'Write a help text, and labels whose values our own code bounds; a new label joins the list in test/house/laws/metric-declarations.ts with that in mind.',
  );
});

test('a metric without help, with an open label or without a definition is found', () => {
  const planted = new Source(
    'gateway/metrics.ts',
    [
      "metrics.counter({ name: 'requests_total', help: 'Requests answered, by status class.', labels: ['status'] });",
      "metrics.counter({ name: 'silent_total', help: '', labels: [] });",
      "metrics.histogram({ name: 'open_seconds', help: 'Time of one request.', labels: ['path', 'user'] });",
      'metrics.gauge(definition);',
      "metrics.gauge({ help: 'Connections open now.', labels: names });",
      'const gauge = (name: string, help: string) => metrics.gauge({ name: `lane_${name}`, help, labels: [] });',
      "gauge('streams', 'Lanes that are open.');",
    ].join('\n'),
  );

  assert.deepEqual(whatOf(looseMetrics([planted])), [
    'silent_total has no help text of at least three words',
    'open_seconds has the label path, which is not known to be bounded',
    'open_seconds has the label user, which is not known to be bounded',
    'a metric whose definition is not written where it is made',
    'a metric needs a name of its own, not ""',
    ' has the label (not written as a list), which is not known to be bounded',
  ]);
});
