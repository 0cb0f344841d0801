import type { Token } from '../lexer/token.ts';
import { tokens } from '../lexer/tokens.ts';
import { limits } from '../limits.ts';
import { refuse } from '../refuse.ts';
import { operatorSymbols, type ConditionSyntax, type OperandSyntax, type OperatorSyntax, type SyntaxTree } from '../syntax/syntax-tree.ts';
import { parsePath } from './parse-path.ts';

/** The tree of an expression; fails with `bad_filter` where it is none. `&&` binds tighter than `||`; the empty text holds for every row. */
export function parse(text: string): SyntaxTree {
  return new Parser(text).whole();
}

/** Recursive descent; one token is looked at, and none twice. */
class Parser {
  readonly #text: string;
  readonly #tokens: readonly [Token, ...Token[]];
  #next = 0;
  #depth = 0;
  #conditions = 0;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = tokens(text);
  }

  whole(): SyntaxTree {
    if (this.#token().kind === 'end') return { kind: 'all', parts: [] };
    const tree = this.#alternatives();
    if (this.#token().kind !== 'end') this.#refuse(this.#token(), `expected && or ||, found ${this.#found(this.#token())}`);
    return tree;
  }

  #alternatives(): SyntaxTree {
    const parts = [this.#conjunction()];
    while (this.#take('||')) parts.push(this.#conjunction());
    return group('any', parts);
  }

  #conjunction(): SyntaxTree {
    const parts = [this.#part()];
    while (this.#take('&&')) parts.push(this.#part());
    return group('all', parts);
  }

  #part(): SyntaxTree {
    const opening = this.#token();
    if (!this.#take('(')) return this.#condition();
    this.#descend(opening);
    const tree = this.#alternatives();
    this.#close(opening);
    return tree;
  }

  #condition(): ConditionSyntax {
    const { from } = this.#token();
    const left = this.#operand();
    const operator = this.#operator();
    const right = this.#operand();
    this.#conditions += 1;
    if (this.#conditions > limits.conditions) refuse(left.position, `an expression has at most ${limits.conditions} conditions`);
    return { kind: 'condition', left, operator, right, source: this.#text.slice(from, this.#tokens[this.#next - 1]?.to) };
  }

  #operator(): OperatorSyntax {
    const token = this.#token();
    const mark = token.kind === 'mark' ? token.text : '';
    const isAnyOf = mark.startsWith('?');
    const symbol = operatorSymbols.find((each) => each === (isAnyOf ? mark.slice(1) : mark));
    if (symbol === undefined) return this.#refuse(token, `expected an operator such as = or ~, found ${this.#found(token)}`);
    this.#next += 1;
    return { symbol, isAnyOf, position: token.position };
  }

  #operand(): OperandSyntax {
    const token = this.#token();
    const { position } = token;
    if (token.kind === 'end' || token.kind === 'mark') {
      return this.#refuse(token, `expected a field, a value or a parenthesis, found ${this.#found(token)}`);
    }
    this.#next += 1;
    if (token.kind === 'text') return { kind: 'text', text: token.text, position };
    if (token.kind === 'number') return { kind: 'number', value: token.value, position };
    const opening = this.#token();
    return this.#take('(') ? this.#call(token.text, position, opening) : parsePath(token.text, position);
  }

  #call(name: string, position: number, opening: Token): OperandSyntax {
    this.#descend(opening);
    const given: OperandSyntax[] = [];
    if (!this.#isMark(')')) {
      do given.push(this.#operand());
      while (this.#take(','));
    }
    this.#close(opening);
    return { kind: 'call', name, given, position };
  }

  #descend(opening: Token): void {
    this.#depth += 1;
    if (this.#depth > limits.nesting) this.#refuse(opening, `parentheses nest at most ${limits.nesting} deep`);
  }

  #close(opening: Token): void {
    if (!this.#take(')')) this.#refuse(this.#token(), `expected ) for the ( at character ${opening.position}, found ${this.#found(this.#token())}`);
    this.#depth -= 1;
  }

  #take(mark: string): boolean {
    if (!this.#isMark(mark)) return false;
    this.#next += 1;
    return true;
  }

  #isMark(mark: string): boolean {
    const token = this.#token();
    return token.kind === 'mark' && token.text === mark;
  }

  /** The token that is looked at; the last one is the end, and nothing steps past it. */
  #token(): Token {
    return this.#tokens[this.#next] ?? this.#tokens[0];
  }

  #found(token: Token): string {
    switch (token.kind) {
      case 'end':
        return 'the end';
      case 'text':
        return 'a text';
      case 'number':
        return 'a number';
      case 'path':
      case 'mark':
        return token.text.length > 40 ? `${token.text.slice(0, 40)}...` : token.text;
    }
  }

  #refuse(token: Token, reason: string): never {
    return refuse(token.position, reason);
  }
}

function group(kind: 'all' | 'any', parts: readonly SyntaxTree[]): SyntaxTree {
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : { kind, parts };
}
