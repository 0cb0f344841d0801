import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SvcError } from '../../../proto/errors/svc-error.ts';
import { readListQuery } from '../../../store/records/list/list-query.ts';

test('an empty query asks for the first thirty, newest first, counted up to the limit', () => {
  assert.deepEqual(readListQuery(''), { page: 1, perPage: 30, cursor: '', sort: [], total: 'bounded', filter: '', search: '' });
});

test('every parameter is read', () => {
  assert.deepEqual(readListQuery('page=3&perPage=10&sort=-created,author.%74itle,@random&total=exact&filter=n%20%3D%201&search=+two+words+'), {
    page: 3,
    perPage: 10,
    cursor: '',
    sort: [
      { kind: 'path', names: ['created_at'], isDescending: true },
      { kind: 'path', names: ['author', 'title'], isDescending: false },
      { kind: 'random' },
    ],
    total: 'exact',
    filter: 'n = 1',
    search: 'two words',
  });
});

test('perPage above the maximum is the maximum', () => {
  assert.equal(readListQuery('perPage=100000').perPage, 500);
});

test('skipTotal is an alias of total=none', () => {
  assert.equal(readListQuery('skipTotal=true').total, 'none');
  assert.equal(readListQuery('skipTotal=1').total, 'none');
  assert.equal(readListQuery('skipTotal=false').total, 'bounded');
});

for (const query of [
  'page=0',
  'page=-1',
  'page=1.5',
  'page=abc',
  'page=',
  'page=1e3',
  'page=99999999999999999999',
  'perPage=0',
  'perPage=-5',
  'perPage=NaN',
  'page=1&page=2',
  'total=all',
  'skipTotal=maybe',
  'sort=%zz',
  'sort=a%00b',
  `sort=${Array.from({ length: 9 }, (_, index) => `f${index}`).join()}`,
  'cursor=abc&page=2',
  'cursor=abc&sort=@random',
  `search=${'x'.repeat(501)}`,
]) {
  test(`the query ${query} is refused and named`, () => {
    assert.throws(
      () => readListQuery(query),
      (error) => error instanceof SvcError && error.code === 'bad_query' && /^The query parameter \S+ is not valid/.test(error.message),
    );
  });
}
