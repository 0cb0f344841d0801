import { refuse } from '../refuse.ts';
import type { PathSyntax } from '../syntax/syntax-tree.ts';
import { typeOf } from './fit.ts';
import { quoted } from './resolve-field.ts';
import { bodyField } from './resolve-request.ts';
import type { Scope } from './scope.ts';
import type { Operand } from './typed-tree.ts';

/** The operand with what stands behind its colons, one after the other. */
export function modify(scope: Scope, operand: Operand, syntax: PathSyntax): Operand {
  return syntax.modifiers.reduce((modified, word) => {
    const make = Object.hasOwn(modifiers, word) ? modifiers[word] : undefined;
    if (make === undefined)
      return refuse(syntax.position, `there is no modifier ${quoted(`:${word}`)}; there are :isset :changed :length :each :lower`);
    return make(scope, modified) ?? refuse(syntax.position, `:${word} does not fit here`);
  }, operand);
}

/** Each answers undefined where it does not fit. */
const modifiers: Readonly<Record<string, (scope: Scope, operand: Operand) => Operand | undefined>> = {
  isset: (_, operand) =>
    operand.kind === 'request' && (operand.form === 'value' || operand.form === 'each') ? { ...operand, form: 'isset' } : undefined,
  changed,
  length: (_, operand) => (isListLike(operand) ? { ...operand, form: 'length' } : undefined),
  each: (_, operand) => (isListLike(operand) ? { ...operand, form: 'each' } : undefined),
  lower: (_, operand) => (['text', 'json', 'any'].includes(typeOf(operand)) ? { kind: 'lower', of: operand } : undefined),
};

function changed(scope: Scope, operand: Operand): Operand | undefined {
  const field = operand.kind === 'request' ? bodyField(scope, operand) : undefined;
  // Two json texts can mean the same, and Postgres compares them as texts only.
  return field === undefined || field.type === 'json' ? undefined : { kind: 'changed', field };
}

/** What may hold a list: a list field, json, a value of the request. */
function isListLike(operand: Operand): operand is Extract<Operand, { readonly kind: 'field' | 'request' }> {
  if (operand.kind === 'field') return operand.form !== 'length' && (operand.form === 'each' || operand.field.type === 'json');
  return operand.kind === 'request' && (operand.form === 'value' || operand.form === 'each') && operand.part !== 'headers';
}
