import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { cruise, type ICruiseResult, type IFlattenedRuleSet } from 'dependency-cruiser';
import ts from 'typescript';

export interface ForbiddenImport {
  readonly rule: string;
  readonly from: string;
  readonly to: string;
}

export interface ImportGraph {
  readonly files: readonly string[];
  readonly forbidden: readonly ForbiddenImport[];
}

const codeFolders = ['proto', 'gateway', 'store', 'workers', 'k8s', 'bench', 'test'];

/** The rules as import-rules.cjs states them. */
export function importRules(projectRoot: string): IFlattenedRuleSet {
  const require = createRequire(path.join(projectRoot, 'package.json'));
  return require(path.join(projectRoot, 'import-rules.cjs')) as IFlattenedRuleSet;
}

export function namesOf(rules: IFlattenedRuleSet): string[] {
  return (rules.forbidden ?? []).map(({ name }) => name ?? '(a rule without a name)');
}

/** Reads every import below `root`, types included, and judges it by `ruleSet`. */
export async function importGraph(root: string, ruleSet: IFlattenedRuleSet): Promise<ImportGraph> {
  const folders = codeFolders.filter((folder) => existsSync(path.join(root, folder)));
  const { output } = await cruise(
    folders,
    {
      ruleSet,
      validate: true,
      baseDir: root,
      tsPreCompilationDeps: true,
      doNotFollow: { path: 'node_modules' },
      exclude: { path: '^(dist|svc-data)/' },
      enhancedResolveOptions: {
        exportsFields: ['exports'],
        conditionNames: ['import', 'node', 'default', 'types'],
        extensions: ['.ts', '.js', '.mjs', '.cjs', '.d.ts', '.json'],
      },
    },
    {},
    { tsConfig: { options: compilerOptions } },
  );
  return graphOf(output as ICruiseResult);
}

const compilerOptions = {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2023,
  allowImportingTsExtensions: true,
};

function graphOf({ modules, summary }: ICruiseResult): ImportGraph {
  const forbidden = summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to }));
  return { files: modules.map(({ source }) => source), forbidden };
}
