import type { RequestForm } from '../request/request-value.ts';
import type { ParameterSource } from '../request/bind-parameters.ts';
import type { RequestOperand } from '../check/typed-tree.ts';
import type { MacroName } from '../request/macros.ts';

/** Collects the parameters of a condition. Equal literals stay apart, so that the SQL text never depends on a value. */
export class Parameters {
  readonly #first: number;
  readonly #sources: ParameterSource[] = [];
  readonly #known = new Map<string, number>();

  constructor(first: number) {
    this.#first = first;
  }

  get sources(): readonly ParameterSource[] {
    return this.#sources;
  }

  /** Each answers the number of the parameter. */
  literal(text: string): number {
    return this.#add({ kind: 'literal', text });
  }

  macro(name: MacroName): number {
    return this.#once(`macro ${name}`, { kind: 'macro', name });
  }

  request({ part, path }: Pick<RequestOperand, 'part' | 'path'>, as: RequestForm | 'list'): number {
    return this.#once(JSON.stringify([part, path, as]), { kind: 'request', part, path, as });
  }

  changed(field: string): number {
    return this.#once(`changed ${field}`, { kind: 'changed', field });
  }

  #once(key: string, source: ParameterSource): number {
    const known = this.#known.get(key) ?? this.#add(source);
    this.#known.set(key, known);
    return known;
  }

  #add(source: ParameterSource): number {
    this.#sources.push(source);
    return this.#first + this.#sources.length - 1;
  }
}
