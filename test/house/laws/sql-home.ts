import ts from 'typescript';
import type { Finding } from '../tree/finding.ts';
import type { Source } from '../tree/source.ts';

/** What a statement of SQL looks like; a sentence that begins with the same word ("Select a ...") has a capital and goes on otherwise. */
const statementShapes: readonly RegExp[] = [
  /^select\s[\s\S]*\sfrom\s/,
  /^select\s+[\w.]+\s*\(/,
  /^select\s+(\*|\d+|\$\d+|true|null)/,
  /^insert\s+into\s/,
  /^update\s+(only\s+)?\S+\s+((as\s+)?\w+\s+)?set\s+\S+\s*=/,
  /^delete\s+from\s/,
  /^(create|alter|drop)\s+(unlogged\s+|unique\s+|temp\s+|temporary\s+|or\s+replace\s+)*(table|index|schema|function|trigger|type|sequence|view|extension|database|role|policy)\b/,
  /^truncate\s+(table\s|only\s|["$]|\w+\.)/,
  /^lock\s+table\s/,
  /^set\s+local\s/,
  /^with\s+(recursive\s+)?\w+\s*(\([^)]*\)\s*)?as\s+(not\s+)?(materialized\s+)?\(/,
];

/** SQL in files that are neither `*.sql.ts` nor migrations: whole statements as text, and every use of the tag. */
export function sqlAwayFromHome(sources: readonly Source[]): Finding[] {
  return sources.filter((source) => source.isProduct && !source.path.endsWith('.sql.ts')).flatMap(sqlIn);
}

/** Whether a text is a statement of SQL. */
export function isStatement(text: string): boolean {
  const bare = text.replace(/^(\s|--.*\n|\/\*[\s\S]*?\*\/)+/, '');
  const verb = /^\w+/.exec(bare)?.[0] ?? '';
  const isOneCase = verb === verb.toLowerCase() || verb === verb.toUpperCase();
  return isOneCase && statementShapes.some((shape) => shape.test(bare.toLowerCase()));
}

function sqlIn(source: Source): Finding[] {
  const findings: Finding[] = [];
  source.walk((node) => {
    const found = sqlOf(node);
    if (found !== undefined) findings.push({ where: `${source.path}:${source.lineOf(node)}`, what: found });
  });
  return findings;
}

function sqlOf(node: ts.Node): string | undefined {
  if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'sql') return 'uses the sql tag';
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return isStatement(node.text) ? 'holds a statement' : undefined;
  if (!ts.isTemplateExpression(node) || (ts.isTaggedTemplateExpression(node.parent) && node.parent.tag.getText() === 'sql')) return undefined;
  const text = [node.head.text, ...node.templateSpans.map((span) => span.literal.text)].join('$1');
  return isStatement(text) ? 'holds a statement' : undefined;
}
