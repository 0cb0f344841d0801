import { refuse } from '../refuse.ts';
import type { OperatorSyntax } from '../syntax/syntax-tree.ts';
import { macros } from '../request/macros.ts';
import { instantText } from './instant-text.ts';
import type { FieldOperand, LiteralOperand, Operand, OperandType, TypedTest, ValueType } from './typed-tree.ts';

type Sides = Pick<TypedTest, 'left' | 'right' | 'as'>;

/** What two operands are compared as, with literals rewritten to it; refuses a comparison that no value could pass. */
export function fit(operator: OperatorSyntax, left: Operand, right: Operand): Sides {
  const family = familyOf(operator);
  if (family === 'likeness') return { left: asTextLiteral(left), right: asTextLiteral(right), as: 'text' };
  if (family === 'equality' && (isNothing(left) || isNothing(right))) return { left: emptied(left), right: emptied(right), as: 'presence' };
  const as = common(operator, left, right);
  if (family === 'order' && as === 'bool') refuse(operator.position, `${operator.symbol} needs an order, and true and false have none`);
  return { left: rewritten(operator, left, as), right: rewritten(operator, right, as), as };
}

export function typeOf(operand: Operand): OperandType {
  switch (operand.kind) {
    case 'literal':
      return operand.type;
    case 'macro':
      return macros[operand.name].type;
    case 'request':
      return requestTypes[operand.form];
    case 'changed':
      return 'bool';
    case 'field':
      return typeOfField(operand);
    case 'lower':
    case 'strftime':
      return 'text';
    case 'distance':
      return 'number';
  }
}

const requestTypes = { value: 'any', each: 'text', length: 'number', isset: 'bool' } as const;
const numericText = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;

const fieldTypes: Readonly<Record<FieldOperand['field']['type'], OperandType>> = {
  text: 'text',
  email: 'text',
  url: 'text',
  select: 'text',
  relation: 'text',
  number: 'number',
  bool: 'bool',
  date: 'date',
  datetime: 'instant',
  json: 'json',
};

const typeNames: Readonly<Record<OperandType, string>> = {
  text: 'a text',
  number: 'a number',
  bool: 'true or false',
  instant: 'a time',
  date: 'a date',
  json: 'json',
  any: 'a value of the request',
  nothing: 'null',
};

function typeOfField(operand: FieldOperand): OperandType {
  return operand.form === 'length' ? 'number' : fieldTypes[operand.field.type];
}

function familyOf({ symbol }: OperatorSyntax): 'equality' | 'order' | 'likeness' {
  if (symbol === '~' || symbol === '!~') return 'likeness';
  return symbol === '=' || symbol === '!=' ? 'equality' : 'order';
}

/** `null` and `""`: both mean that there is no value. */
function isNothing(operand: Operand): boolean {
  return operand.kind === 'literal' && (operand.text === null || operand.text === '');
}

function emptied(operand: Operand): Operand {
  return isNothing(operand) ? { kind: 'literal', type: 'nothing', text: null } : operand;
}

function asTextLiteral(operand: Operand): Operand {
  return operand.kind === 'literal' ? { kind: 'literal', type: 'text', text: operand.text ?? '' } : operand;
}

function common(operator: OperatorSyntax, left: Operand, right: Operand): ValueType {
  if (left.kind === 'literal' && right.kind !== 'literal') return ofLiteral(operator, left, typeOf(right));
  if (right.kind === 'literal') return ofLiteral(operator, right, typeOf(left));
  const [one, other] = [typeOf(left), typeOf(right)];
  if (isOpen(one) && isOpen(other)) return operator.symbol === '=' || operator.symbol === '!=' ? 'text' : 'number';
  if (isOpen(one)) return opened(one, other);
  if (isOpen(other)) return opened(other, one);
  if (one === other && one !== 'nothing') return one;
  if ((one === 'date' && other === 'instant') || (one === 'instant' && other === 'date')) return 'instant';
  return unfit(operator, one, other);
}

function isOpen(type: OperandType): type is 'any' | 'json' {
  return type === 'any' || type === 'json';
}

/** JSON has no times: its texts are compared with the time as the wire writes it. */
function opened(open: 'any' | 'json', other: OperandType): ValueType {
  if (other === 'any' || other === 'json' || other === 'nothing') return 'text';
  return open === 'json' && (other === 'instant' || other === 'date') ? 'text' : other;
}

/** What a literal and something of the type `other` are compared as. */
function ofLiteral(operator: OperatorSyntax, literal: LiteralOperand, other: OperandType): ValueType {
  if (literal.type === 'nothing' || other === 'nothing') return unfit(operator, literal.type, other);
  if (isOpen(other)) return literal.type;
  // A time given where a date is kept is compared to the date's beginning.
  const as = other === 'date' && literal.type === 'text' && (literal.text ?? '').length > 10 ? 'instant' : other;
  if (convert(literal, as) === undefined) unfit(operator, literal.type, other);
  return as;
}

function rewritten(operator: OperatorSyntax, operand: Operand, as: ValueType): Operand {
  if (operand.kind !== 'literal' || operand.type === as) return operand;
  const text = convert(operand, as);
  return text === undefined ? unfit(operator, operand.type, as) : { kind: 'literal', type: as, text };
}

/** The literal's text as a value of the type `as`; undefined where it is none. */
function convert({ type, text }: LiteralOperand, as: ValueType): string | undefined {
  if (text === null) return undefined;
  if (type === as) return text;
  switch (as) {
    case 'number':
      return type === 'text' && numericText.test(text) && Number.isFinite(Number(text)) ? String(Number(text)) : undefined;
    case 'bool':
      if (text === 'true' || text === '1') return 'true';
      return text === 'false' || text === '0' ? 'false' : undefined;
    case 'instant':
      return type === 'text' ? instantText(text) : undefined;
    case 'date':
      return type === 'text' && text.length === 10 && instantText(text) !== undefined ? text : undefined;
    case 'text':
      return undefined;
  }
}

function unfit(operator: OperatorSyntax, one: OperandType, other: OperandType): never {
  const advice = [one, other].includes('text') && [one, other].some((type) => type === 'instant' || type === 'date') ? timeAdvice : '';
  return refuse(operator.position, `${operator.symbol} cannot compare ${typeNames[one]} with ${typeNames[other]}${advice}`);
}

const timeAdvice = '; a time is written "2026-01-31" or "2026-01-31 12:00:00.000Z"';
