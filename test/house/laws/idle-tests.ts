import ts from 'typescript';
import type { Finding } from '../tree/finding.ts';
import type { Source } from '../tree/source.ts';
import { calleeOf } from '../tree/syntax.ts';

const idleCall = /^(test|it|describe|suite|before|after)\.(skip|only|todo)$|^(t|context)\.(skip|todo)$/;
const idleOptions = new Set(['skip', 'only', 'todo']);

/** Tests that do not run, or that keep the others from running. */
export function idleTests(sources: readonly Source[]): Finding[] {
  return sources.filter((source) => source.path.endsWith('.test.ts')).flatMap(idleTestsOf);
}

function idleTestsOf(source: Source): Finding[] {
  const findings: Finding[] = [];
  source.walk((node) => {
    const what = idleBy(node);
    if (what !== undefined) findings.push({ where: `${source.path}:${source.lineOf(node)}`, what });
  });
  return findings;
}

function idleBy(node: ts.Node): string | undefined {
  const callee = calleeOf(node);
  if (callee !== undefined && idleCall.test(callee)) return callee;
  if (!ts.isPropertyAssignment(node) || !idleOptions.has(node.name.getText())) return undefined;
  return /^(test|it|describe|suite)$/.test(calleeOf(node.parent.parent) ?? '') ? `the option ${node.name.getText()}` : undefined;
}
