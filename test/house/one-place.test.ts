import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chance, clock, environment, outsideIts, terminal, unusedExceptions, type Place } from './laws/one-place.ts';
import { requireNone } from './tree/finding.ts';
import { projectRoot } from './tree/project-root.ts';
import { projectSources } from './tree/project-sources.ts';
import { Source } from './tree/source.ts';

const sources = projectSources(projectRoot());

const touching: readonly { readonly place: Place; readonly lines: readonly string[] }[] = [
  {
    place: environment,
    lines: [
      "const a = process.env['HOME'];",
      "const b = process['env'];",
      'const { env } = process;',
      "import { env as all } from 'node:process';",
      'globalThis.process.env;',
      'process.loadEnvFile();',
    ],
  },
  {
    place: clock,
    lines: ['Date.now();', 'new Date();', 'new Date;', 'Date();', 'const now = Date.now;', 'const made = Date;', 'performance.timeOrigin;'],
  },
  {
    place: chance,
    lines: [
      'Math.random();',
      'const { random } = Math;',
      "import { randomBytes } from 'node:crypto';",
      'crypto.randomUUID();',
      'crypto.getRandomValues(bytes);',
      "import { v4 } from 'uuid';",
    ],
  },
  {
    place: terminal,
    lines: [
      "console.log('x');",
      "globalThis.console.error('x');",
      'const write = console;',
      "process.stdout.write('x');",
      'const { stderr } = process;',
    ],
  },
];

const innocent: readonly string[] = [
  'const at = new Date(clock.now()).toISOString();',
  'const isDate = value instanceof Date;',
  'type Instant = Date | number;',
  'function day(date: Date): Date { return date; }',
  'const parsed = Date.parse(text);',
  'const request = { env: 1, console: 2, random: 3 };',
  'request.env; request.console; dice.random();',
  "import { createHash, timingSafeEqual } from 'node:crypto';",
  'performance.now();',
];

for (const place of [environment, clock, chance, terminal]) {
  const files = Object.keys(place.allowed).join(' or ');

  test(`nothing but ${files} ${place.what}`, () => {
    requireNone(outsideIts(place, sources), place.advice);
  });

  test(`no file is on the list without need that ${place.what}`, () => {
    requireNone(unusedExceptions(place, sources), 'Take the file off the list in test/house/laws/one-place.ts.');
  });
}

for (const { place, lines } of touching) {
  test(`a planted file that ${place.what} is found, however it does`, () => {
    const missed = lines.filter((line) => outsideIts(place, [new Source('store/planted.ts', line)]).length === 0);

    assert.deepEqual(missed, []);
  });
}

test('code that only looks like it is left alone', () => {
  const planted = innocent.map((line, index) => new Source(`store/innocent-${index}.ts`, line));
  const found = [environment, clock, chance, terminal].flatMap((place) => outsideIts(place, planted));

  assert.deepEqual(found, []);
});

test('an exception that nobody uses is found', () => {
  const place: Place = { ...clock, allowed: { 'store/idle.ts': 'once needed' } };

  assert.deepEqual(unusedExceptions(place, [new Source('store/idle.ts', 'export {};')]), [
    { where: 'store/idle.ts', what: 'is allowed to, but no longer asks the machine for the time' },
  ]);
});
