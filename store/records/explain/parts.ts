import { bindParameters, toSql, type ParameterSource, type RequestValues, type SyntaxTree, type TypedTree } from '../../rules/index.ts';
import type { Sql, Statement } from '../../postgres/sql.ts';
import type { RecordShape } from '../shape/shape.ts';
import { selectVerdicts } from './explain.sql.ts';

/** A condition or a group of an expression. */
export interface Part {
  /** As it was written; `all` or `any` for a group. */
  readonly source: string;
  readonly depth: number;
  readonly typed: TypedTree;
}

/** All parts of an expression, the whole first; both trees have one form. */
export function partsOf({ syntax, typed }: { readonly syntax: SyntaxTree; readonly typed: TypedTree }, depth = 0): readonly Part[] {
  if (syntax.kind === 'condition' || typed.kind === 'test')
    return [{ source: syntax.kind === 'condition' ? syntax.source : syntax.kind, depth, typed }];
  const inner = syntax.parts.flatMap((part, index) => {
    const other = typed.parts[index];
    return other === undefined ? [] : partsOf({ syntax: part, typed: other }, depth + 1);
  });
  return [{ source: syntax.kind, depth, typed }, ...inner];
}

/** Reads one row of verdicts about the record in question; undefined where there is none. */
export type ReadVerdicts = (statement: Statement, values: readonly (string | null)[]) => Promise<readonly (string | null)[] | undefined>;

/** Whether each part holds, as the database judges it. */
export async function judgeParts(
  shape: RecordShape,
  parts: readonly Part[],
  { request, now }: { readonly request: RequestValues; readonly now: Date },
  read: ReadVerdicts,
): Promise<readonly boolean[]> {
  const conditions: Sql[] = [];
  const sources: ParameterSource[] = [];
  for (const { typed } of parts) {
    const { condition, parameters } = toSql(typed, { alias: 'record', firstParameter: 2 + sources.length });
    conditions.push(condition);
    sources.push(...parameters);
  }
  const row = await read(selectVerdicts(shape, conditions), bindParameters(sources, request, now));
  return parts.map((_, index) => row?.[index] === 'true');
}
