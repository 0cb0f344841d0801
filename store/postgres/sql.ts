import { createHash } from 'node:crypto';

/** A piece of SQL: text with places for values. Only the tag below makes one, so a plain string cannot be executed. */
export class Sql {
  readonly #strings: readonly string[];
  readonly #values: readonly unknown[];

  constructor(strings: readonly string[], values: readonly unknown[]) {
    this.#strings = strings;
    this.#values = values;
  }

  /** The text with `$n` for each value, and the values in that order. */
  compile(): { text: string; values: unknown[] } {
    const out = { text: '', values: [] as unknown[] };
    this.#writeTo(out);
    return out;
  }

  #writeTo(out: { text: string; values: unknown[] }): void {
    this.#strings.forEach((text, index) => {
      out.text += text;
      if (index >= this.#values.length) return;
      const value = this.#values[index];
      if (value instanceof Sql) value.#writeTo(out);
      else {
        out.values.push(value);
        out.text += `$${out.values.length}`;
      }
    });
  }
}

function tag(strings: TemplateStringsArray, ...values: readonly unknown[]): Sql {
  return new Sql(strings, values);
}

function verbatim(text: string): Sql {
  return new Sql([text], []);
}

/** The SQL tag: values become `$n`; names, numbers of parameters and lists go through its functions. */
export const sql = Object.assign(tag, {
  empty: verbatim(''),
  /** A quoted name, or several joined by a dot. */
  id: (...names: readonly string[]) => verbatim(names.map((name) => `"${name.replaceAll('"', '""')}"`).join('.')),
  /** A quoted text for DDL, where parameters are impossible. */
  literal: (text: string) => verbatim(`'${text.replaceAll("'", "''")}'`),
  /** The n-th parameter of a statement whose values are given at execution. */
  param: (n: number) => verbatim(`$${n}`),
  /** A whole number written into the text. */
  integer: (n: number | bigint) => verbatim(BigInt(n).toString()),
  join: (parts: readonly Sql[], separator = ', ') => joined(parts, separator),
  /** An expression made by a field type from names that went through `quoteName`; nothing a caller sent may come here. */
  expression: (text: string) => verbatim(text),
});

/** The quoted form of `name`, for the expressions that field types make. */
export function quoteName(...names: readonly string[]): string {
  return sql.id(...names).compile().text;
}

/** A statement whose text is fixed: prepared once per connection under a name made from its text. */
export interface Statement {
  readonly label: string;
  /** Empty: not worth preparing. */
  readonly name: string;
  readonly text: string;
}

/** Makes a statement of a text with `sql.param` places only. */
export function statement(label: string, body: Sql): Statement {
  const { text, values } = body.compile();
  if (values.length > 0) throw new TypeError(`the statement ${label} holds values; it takes parameters only`);
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 16);
  return { label, name: `${label.slice(0, 40)}:${hash}`, text: `/* ${label} */ ${text}` };
}

function joined(parts: readonly Sql[], separator: string): Sql {
  if (parts.length === 0) return verbatim('');
  return new Sql(['', ...parts.slice(1).map(() => separator), ''], parts);
}
