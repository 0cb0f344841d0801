import { fail } from '../../../proto/errors/svc-error.ts';
import type { Principal } from '../../principal/principal.ts';
import type { RecordDeps } from '../deps.ts';
import { readParameters } from '../parameters.ts';
import { sightOf } from '../access.ts';
import type { RuleRequestInput } from '../rules/rule-request.ts';
import { requireMembers } from '../shape/members.ts';
import type { RecordShape } from '../shape/shape.ts';
import { readExpandTree, type ExpandNode } from './expand-tree.ts';
import { projected, readFieldTree, type FieldTree } from './field-tree.ts';
import { readRelated, type Viewer } from './related.ts';

/** How a request wants records to be shown: which members, and which records beside them (CONTRACT section 3, `fields` and `expand`). */
export class Presentation {
  readonly #deps: RecordDeps;
  readonly #viewer: Viewer;
  readonly #fields: FieldTree | undefined;
  readonly #expand: readonly ExpandNode[];
  /** Characters that may still be put under `expand`: a few records can point to each other many times. */
  #charactersLeft = expandedMax;

  /** Fails with `bad_query` where the caller names what he may not know of. */
  constructor(deps: RecordDeps, shape: RecordShape, viewer: Viewer) {
    const parameters = readParameters(viewer.request.query);
    this.#deps = deps;
    this.#viewer = viewer;
    this.#fields = readFieldTree(parameters.get('fields') ?? '');
    this.#expand = readExpandTree(deps, shape, viewer.principal, parameters.get('expand') ?? '');
    if (this.#fields !== undefined) requireKnown(shape, viewer, this.#fields, this.#expand);
  }

  /** Whether records are shown as they are. */
  get isPlain(): boolean {
    return this.#fields === undefined && this.#expand.length === 0;
  }

  /** The members that a statement can pick by itself; none: it has to answer whole documents. */
  get members(): readonly string[] {
    if (this.#fields === undefined || this.#fields.isAll || this.#expand.length > 0) return [];
    const members = [...this.#fields.members].filter(([name]) => name !== expandMember);
    return members.some(([, inner]) => inner !== undefined) ? [] : members.map(([name]) => name);
  }

  /** Shows whole documents of the collection. A constant number of statements, however many documents. */
  async show(documents: readonly string[]): Promise<readonly string[]> {
    return this.isPlain || documents.length === 0 ? documents : this.#show(documents, this.#expand, this.#fields);
  }

  async #show(documents: readonly string[], nodes: readonly ExpandNode[], fields: FieldTree | undefined): Promise<readonly string[]> {
    const wanted = fields === undefined || fields.isAll || fields.members.has(expandMember) ? nodes : [];
    const under = fields?.members.get(expandMember);
    const members = wanted.length === 0 ? [] : documents.map((document) => JSON.parse(document) as Members);
    const beside = await Promise.all(wanted.map((node) => this.#relatives(members, node, under?.members.get(node.name))));
    return documents.map((document, index) => {
      const shown = fields === undefined ? document : projected(document, withoutExpand(fields));
      if (nodes.length === 0 || (fields !== undefined && wanted.length === 0)) return shown;
      const entries = wanted.flatMap(({ name }, at) => {
        const isShown = under === undefined || under.isAll || under.members.has(name);
        const text = beside[at]?.[index];
        return text === undefined || !isShown ? [] : [`${JSON.stringify(name)}:${text}`];
      });
      return `${shown.slice(0, -1)}${shown === '{}' ? '' : ','}"${expandMember}":{${entries.join(',')}}}`;
    });
  }

  /** For each record the text of what one relation leads to; undefined where that is nothing. */
  async #relatives(members: readonly Members[], node: ExpandNode, fields: FieldTree | undefined): Promise<readonly (string | undefined)[]> {
    const keysOf = (one: Members): readonly string[] => (node.direction === 'back' ? [one.id] : idsIn(one[node.field.name]));
    const found = await readRelated(this.#deps, this.#viewer, node, [...new Set(members.flatMap(keysOf))]);
    const shown = await this.#show(
      found.map(({ document }) => document),
      node.children,
      fields,
    );
    const byKey = new Map<string, string[]>();
    found.forEach(({ key }, index) => {
      const text = shown[index];
      const texts = byKey.get(key);
      if (text === undefined) return;
      if (texts === undefined) byKey.set(key, [text]);
      else texts.push(text);
    });
    return members.map((one) => {
      const texts = keysOf(one).flatMap((key) => byKey.get(key) ?? []);
      this.#spend(texts);
      return node.isList ? `[${texts.join(',')}]` : texts[0];
    });
  }

  #spend(texts: readonly string[]): void {
    for (const text of texts) this.#charactersLeft -= text.length;
    if (this.#charactersLeft < 0) fail('answer_too_large', { values: { limit: expandedMax } });
  }
}

/** Well below what a lane carries in one answer. */
const expandedMax = 16 * 1024 * 1024;

/** How the request wants its one record to be shown; undefined: as it is, which is all that most ask for. */
export function presentationOf(deps: RecordDeps, shape: RecordShape, principal: Principal, request: RuleRequestInput): Presentation | undefined {
  if (request.query === '') return undefined;
  const presentation = new Presentation(deps, shape, { principal, request });
  return presentation.isPlain ? undefined : presentation;
}

type Members = Readonly<Record<string, unknown>> & { readonly id: string };

const expandMember = 'expand';

function idsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value as readonly string[];
  return typeof value === 'string' ? [value] : [];
}

function withoutExpand({ isAll, members }: FieldTree): FieldTree {
  return { isAll, members: new Map([...members].filter(([name]) => name !== expandMember)) };
}

function requireKnown(shape: RecordShape, viewer: Viewer, fields: FieldTree, nodes: readonly ExpandNode[]): void {
  const names = [...fields.members.keys()].filter((name) => name !== expandMember);
  requireMembers(shape, sightOf(shape, viewer.principal), 'fields', names);
  const under = fields.members.get(expandMember);
  for (const node of nodes) {
    const inner = under?.members.get(node.name);
    if (inner !== undefined) requireKnown(node.shape, viewer, inner, node.children);
  }
}
