import ts from 'typescript';

/** One text file of the project, and its syntax where it is code. */
export class Source {
  /** Relative to the project, with forward slashes. */
  readonly path: string;
  readonly text: string;
  #syntax: ts.SourceFile | undefined;

  constructor(path: string, text: string) {
    this.path = path;
    this.text = text;
  }

  get isCode(): boolean {
    return /\.[cm]?[jt]s$/.test(this.path);
  }

  get isGenerated(): boolean {
    return this.path.startsWith('proto/gen/');
  }

  /** Code that runs in the product: neither tests, nor bench, nor scripts, nor configuration. */
  get isProduct(): boolean {
    return this.isCode && !this.isGenerated && /^(proto|gateway|store|workers|k8s)\//.test(this.path);
  }

  get lineCount(): number {
    const lines = this.text.split('\n');
    return lines.at(-1) === '' ? lines.length - 1 : lines.length;
  }

  get syntax(): ts.SourceFile {
    this.#syntax ??= ts.createSourceFile(this.path, this.text, ts.ScriptTarget.Latest, true);
    return this.#syntax;
  }

  /** The line, from 1, on which `node` begins. */
  lineOf(node: ts.Node): number {
    return this.syntax.getLineAndCharacterOfPosition(node.getStart(this.syntax)).line + 1;
  }

  /** Calls `visit` for every node, parents first. */
  walk(visit: (node: ts.Node) => void): void {
    const step = (node: ts.Node): void => {
      visit(node);
      ts.forEachChild(node, step);
    };
    step(this.syntax);
  }
}
