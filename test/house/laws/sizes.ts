import ts from 'typescript';
import type { Finding } from '../tree/finding.ts';
import type { Source } from '../tree/source.ts';

export const fileLinesMax = 400;
export const functionLinesMax = 60;
export const folderFilesMax = 20;

/** Files with too many lines. Documents and data are read in another way than code, so they may be long. */
export function longFiles(sources: readonly Source[]): Finding[] {
  const counted = sources.filter((source) => (source.isCode || source.path.endsWith('.sql')) && !source.isGenerated);
  const long = counted.filter((source) => source.lineCount > fileLinesMax);
  return long.map((source) => ({ where: source.path, what: `${source.lineCount} lines` }));
}

/** Functions with too many lines, from their first word to their closing brace. */
export function longFunctions(sources: readonly Source[]): Finding[] {
  return sources.filter((source) => source.isCode && !source.isGenerated).flatMap(longFunctionsOf);
}

/** Folders with too many files. */
export function fullFolders(sources: readonly Source[]): Finding[] {
  const counts = new Map<string, number>();
  for (const source of sources.filter((each) => !each.isGenerated)) {
    const folder = source.path.includes('/') ? source.path.slice(0, source.path.lastIndexOf('/')) : '.';
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count > folderFilesMax).map(([folder, count]) => ({ where: folder, what: `${count} files` }));
}

function longFunctionsOf(source: Source): Finding[] {
  const findings: Finding[] = [];
  source.walk((node) => {
    if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined || isListOfTests(node)) return;
    const { syntax } = source;
    const lastLine = syntax.getLineAndCharacterOfPosition(node.getEnd()).line + 1;
    const lines = lastLine - source.lineOf(node) + 1;
    if (lines > functionLinesMax) findings.push({ where: `${source.path}:${source.lineOf(node)}`, what: `${nameOf(node)} has ${lines} lines` });
  });
  return findings;
}

/** The callback of `describe` holds tests side by side, no steps; each test is measured by itself. */
function isListOfTests(node: ts.Node): boolean {
  return ts.isCallExpression(node.parent) && /^(describe|suite)\b/.test(node.parent.expression.getText());
}

function nameOf(node: ts.SignatureDeclaration): string {
  if (node.name !== undefined) return node.name.getText();
  const { parent } = node;
  return ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) ? parent.name.getText() : 'a function without a name';
}
