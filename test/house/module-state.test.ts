import assert from 'node:assert/strict';
import { test } from 'node:test';
import { moduleState } from './laws/module-state.ts';
import { requireNone } from './tree/finding.ts';
import { projectRoot } from './tree/project-root.ts';
import { projectSources } from './tree/project-sources.ts';
import { Source } from './tree/source.ts';

const changing: readonly string[] = [
  'let count = 0;',
  'export let current: string | undefined;',
  'var old = 1;',
  'const seen = new Map<string, number>();',
  'export const names = new Set(["a"]);',
  'const byObject = new WeakMap();',
  'const queue: string[] = [];',
  'const table = {};',
  'const rows = ["a"];\nrows.push("b");',
  'const state = { open: false };\nexport function open() { state.open = true; }',
  'const counts = { a: 0 };\nexport const count = () => counts.a++;',
  'const word = /\\w+/g;\nexport const next = (text: string) => word.exec(text);',
  'class Pool { static made = 0; }',
  'class Pool { static readonly all = new Map(); }',
];

const constant: readonly string[] = [
  'const limit = 10;',
  'const names: ReadonlySet<string> = new Set(["a"]);',
  'const codes = new Map([["a", 1]]) as ReadonlyMap<string, number>;',
  'const none: readonly string[] = [];',
  'const kinds = ["a", "b"] as const;',
  'const kinds = ["a", "b"] as const satisfies readonly string[];',
  'const table: Readonly<Record<string, number>> = {};',
  'const options = { open: false };\nexport const isOpen = () => options.open;',
  'export function make() { let count = 0; const seen = new Map(); return () => seen.set(count++, 1); }',
  'class Pool { static readonly size = 1; #open = 0; }',
  'const encoder = new TextEncoder();',
  'declare let injected: string;',
  'const word = /\\w+/g;\nexport const words = (text: string) => text.match(word);',
  'const word = /\\w+/;\nexport const isWord = (text: string) => word.test(text);',
];

test('no module keeps state', () => {
  requireNone(
    moduleState(projectSources(projectRoot())),
    'Put what changes into a class or the object that main hands down; mark what never changes with a readonly type or `as const`.',
  );
});

test('planted state is found in every form', () => {
  const missed = changing.filter((text) => moduleState([new Source('store/planted.ts', text)]).length === 0);

  assert.deepEqual(missed, []);
});

test('constants are left alone, and so are tests', () => {
  const planted = [...constant.map((text) => new Source('store/constant.ts', text)), new Source('test/unit/any.test.ts', 'let count = 0;')];

  assert.deepEqual(moduleState(planted), []);
});
