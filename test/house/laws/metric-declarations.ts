import ts from 'typescript';
import type { Finding } from '../tree/finding.ts';
import type { Source } from '../tree/source.ts';
import { calleeOf, withoutAssertions } from '../tree/syntax.ts';

/** What a label may be named: each takes a set of values that our own code bounds. Ids, names and paths that callers choose are not among them. */
export const boundedLabels: ReadonlySet<string> = new Set([
  'class',
  'kind',
  // The name that our code gives to a statement; there are as many as there are statements.
  'label',
  'lane',
  'method',
  'operation',
  'outcome',
  'phase',
  'pool',
  'reason',
  'role',
  'route',
  'scenario',
  'service',
  'state',
  'statement',
  'status',
  'task',
]);

/** Metrics without a help text that says something, with a name that is not one, or with a label that callers could fill. */
export function looseMetrics(sources: readonly Source[]): Finding[] {
  return sources.filter((source) => source.isProduct && source.path !== 'proto/process/metrics.ts').flatMap(looseMetricsOf);
}

function looseMetricsOf(source: Source): Finding[] {
  const findings: Finding[] = [];
  source.walk((node) => {
    if (!ts.isCallExpression(node) || !/\.(counter|gauge|histogram)$/.test(calleeOf(node) ?? '')) return;
    const where = `${source.path}:${source.lineOf(node)}`;
    findings.push(...faultsOf(node).map((what) => ({ where, what })));
  });
  return findings;
}

function faultsOf(call: ts.CallExpression): string[] {
  const definition = call.arguments[0] === undefined ? undefined : withoutAssertions(call.arguments[0]);
  if (definition === undefined || !ts.isObjectLiteralExpression(definition)) return ['a metric whose definition is not written where it is made'];
  const name = textOf(definition, 'name');
  const help = textOf(definition, 'help');
  return [
    ...(name === given || /^[a-z][a-z0-9_]*$/.test(name) ? [] : [`a metric needs a name of its own, not ${JSON.stringify(name)}`]),
    ...(help === given || help.split(/\s+/).length >= 3 ? [] : [`${name} has no help text of at least three words`]),
    ...labelsOf(definition)
      .filter((label) => !boundedLabels.has(label))
      .map((label) => `${name} has the label ${label}, which is not known to be bounded`),
  ];
}

/** Stands for a text that a parameter brings; where many metrics are alike, one function makes them. */
const given = '(given)';

function textOf(definition: ts.ObjectLiteralExpression, key: string): string {
  const property = definition.properties.find((each) => each.name?.getText() === key);
  if (property === undefined) return '';
  const value = ts.isPropertyAssignment(property) ? withoutAssertions(property.initializer) : undefined;
  return value !== undefined && ts.isStringLiteralLike(value) ? value.text : given;
}

function labelsOf(definition: ts.ObjectLiteralExpression): string[] {
  const value = valueOf(definition, 'labels');
  if (value === undefined || !ts.isArrayLiteralExpression(value)) return ['(not written as a list)'];
  return value.elements.map((element) => (ts.isStringLiteralLike(element) ? element.text : element.getText()));
}

function valueOf(definition: ts.ObjectLiteralExpression, key: string): ts.Expression | undefined {
  const property = definition.properties.find((each) => each.name?.getText() === key);
  return property !== undefined && ts.isPropertyAssignment(property) ? withoutAssertions(property.initializer) : undefined;
}
