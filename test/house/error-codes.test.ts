import assert from 'node:assert/strict';
import { test } from 'node:test';
import { catalogue, faults } from '../../proto/errors/catalogue.ts';
import { undeclaredCodes, unusedCodes } from './laws/error-codes.ts';
import { requireNone, whatOf } from './tree/finding.ts';
import { projectRoot } from './tree/project-root.ts';
import { projectSources } from './tree/project-sources.ts';
import { Source } from './tree/source.ts';

const sources = projectSources(projectRoot());

test('every error code and every fault code is raised somewhere', () => {
  requireNone(
    unusedCodes(sources, [...Object.keys(catalogue), ...Object.keys(faults)]),
    'Take the code out of proto/errors/catalogue.ts, or raise it where it belongs.',
  );
});

test('every error code is declared by an endpoint', () => {
  requireNone(
    undeclaredCodes(sources, Object.keys(catalogue)),
    'Add the code to `errors` of each endpoint that can answer with it, or to the list that all share.',
  );
});

test('every text of the catalogue is a sentence, and its status an error', () => {
  const entries = Object.entries(catalogue);
  const odd = entries.filter(([, { status, text }]) => status < 400 || status > 599 || !/^(\{reason\}|[A-Z].*\.)$/.test(text));

  assert.deepEqual(odd, []);
});

test('a code that nobody raises is found, also when types, keys and declarations name it', () => {
  const planted = new Source(
    'gateway/routes/view.ts',
    "import { raised } from './only_imported';\ntype A = 'only_typed';\nconst texts = { 'only_keyed': 1 };\nexport const view = { errors: ['only_declared'], handler: () => fail('raised') };",
  );

  assert.deepEqual(whatOf(unusedCodes([planted], ['raised', 'only_typed', 'only_keyed', 'only_declared', 'only_imported'])), [
    'only_typed is raised nowhere',
    'only_keyed is raised nowhere',
    'only_declared is raised nowhere',
    'only_imported is raised nowhere',
  ]);
});

test('a code that the catalogue or a test alone names counts as raised nowhere', () => {
  const planted = [new Source('proto/errors/catalogue.ts', "export const a = 'lonely';"), new Source('test/unit/a.test.ts', "fail('lonely');")];

  assert.deepEqual(whatOf(unusedCodes(planted, ['lonely'])), ['lonely is raised nowhere']);
});

test('a code that is raised and declared by no endpoint is found', () => {
  const planted = [
    new Source('gateway/routes/view.ts', "export const view = { errors: ['by_endpoint', ...commonErrors] };\nfail('only_raised');"),
    new Source('gateway/endpoint/errors.ts', "export const commonErrors = ['by_all'] as const satisfies readonly ErrorCode[];"),
    new Source('store/records/view.ts', "export const view = { errors: ['by_store'] };"),
  ];

  assert.deepEqual(whatOf(undeclaredCodes(planted, ['by_endpoint', 'by_all', 'only_raised', 'by_store'])), [
    'only_raised is declared by no endpoint',
    'by_store is declared by no endpoint',
  ]);
});
