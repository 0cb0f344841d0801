import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  boolean,
  byteCount,
  childEnvironment,
  cidrList,
  ConfigError,
  count,
  duration,
  list,
  port,
  readConfig,
  secret,
  text,
} from '../../../proto/process/config.ts';

describe('the configuration', () => {
  it('parses every kind of value', () => {
    const config = readConfig(
      { PORT: port(), COUNT: count(), WAIT: duration(), SIZE: byteCount(), FLAG: boolean(), LIST: list(), NAME: text('a name') },
      { PORT: '8090', COUNT: '3', WAIT: '24h', SIZE: '5MiB', FLAG: 'on', LIST: 'a, b,,c', NAME: ' x ' },
    );

    assert.deepEqual(config, { PORT: 8090, COUNT: 3, WAIT: 86_400_000, SIZE: 5_242_880, FLAG: true, LIST: ['a', 'b', 'c'], NAME: 'x' });
  });

  it('takes the default where a variable is absent or empty', () => {
    const config = readConfig({ PORT: port(8_090), WAIT: duration(500), FLAG: boolean(false), LIST: list(['x']) }, { PORT: '', WAIT: '  ' });

    assert.deepEqual(config, { PORT: 8_090, WAIT: 500, FLAG: false, LIST: ['x'] });
  });

  it('reports every wrong and every missing variable at once, each by name with what it should be', () => {
    const read = () => readConfig({ PORT: port(8_090), COUNT: count(1, { min: 1, max: 64 }), NAME: text('a name') }, { PORT: '70000', COUNT: '0' });

    assert.throws(read, (error: unknown) => {
      assert.ok(error instanceof ConfigError);
      assert.deepEqual(error.lines, [
        'PORT should be a port number from 0 to 65535; it is "70000"',
        'COUNT should be a whole number from 1 to 64; it is "0"',
        'NAME is missing; it should be a name',
      ]);
      return true;
    });
  });

  it('never repeats a secret in its message', () => {
    const read = () =>
      readConfig(
        { SVC_ADMIN_KEY: secret(32), DATABASE_URL: text('a database', /^postgres:/) },
        { SVC_ADMIN_KEY: 'hunter2', DATABASE_URL: 'mysql://hunter2' },
      );

    assert.throws(read, (error: unknown) => error instanceof ConfigError && error.lines.length === 2 && !error.message.includes('hunter2'));
  });

  for (const value of [
    'short',
    'change-me-change-me-change-me-change-me',
    'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
    'password123456789012345678901234567890',
  ]) {
    it(`refuses the weak secret ${value}`, () => {
      assert.throws(() => readConfig({ KEY: secret(32) }, { KEY: value }), ConfigError);
    });
  }

  for (const value of ['5', '5x', '-1s', '1.5h', 's', '9999999999999d']) {
    it(`refuses the duration ${value}`, () => {
      assert.throws(() => readConfig({ WAIT: duration() }, { WAIT: value }), ConfigError);
    });
  }

  it('knows which address lies in a range, of either family', () => {
    const { RANGES } = readConfig({ RANGES: cidrList() }, { RANGES: '10.0.0.0/8, ::1' });

    assert.deepEqual([RANGES.check('10.1.2.3'), RANGES.check('11.0.0.1'), RANGES.check('::1', 'ipv6')], [true, false, true]);
  });

  for (const value of ['10.0.0.0/33', '10.0.0', 'nowhere/8', '::1/129', '10.0.0.0/']) {
    it(`refuses the address range ${value}`, () => {
      assert.throws(() => readConfig({ RANGES: cidrList() }, { RANGES: value }), ConfigError);
    });
  }

  it('hands no secret to a child that it was not granted', () => {
    process.env['SVC_ADMIN_KEY'] = 'x';
    process.env['AWS_SECRET_ACCESS_KEY'] = 'x';
    process.env['PGPASSWORD'] = 'x';
    process.env['SVC_EVENT_RETENTION'] = '24h';

    const plain = childEnvironment({ grant: [], set: { SVC_PORT: '1' } });
    const granted = childEnvironment({ grant: [/^PG[A-Z]+$/], set: {} });

    assert.deepEqual([plain['SVC_ADMIN_KEY'], plain['AWS_SECRET_ACCESS_KEY'], plain['PGPASSWORD']], [undefined, undefined, undefined]);
    assert.deepEqual([plain['SVC_EVENT_RETENTION'], plain['SVC_PORT'], granted['PGPASSWORD']], ['24h', '1', 'x']);
  });
});
