// A role for the tests of the lifecycle: what it does is told by SAMPLE, a comma list of words.
import { readConfig, text } from '../../../proto/process/config.ts';
import { runRole, runTask } from '../../../proto/process/lifecycle.ts';

const words = (process.env['SAMPLE'] ?? '').split(',');

if (words.includes('task')) runTask('sample', async (log) => log.info('done'));
else runRole('sample', start);

function start(lifecycle: Parameters<Parameters<typeof runRole>[1]>[0]): void {
  if (words.includes('misconfigured')) readConfig({ SAMPLE_NAME: text('a name') }, {});
  if (words.includes('failing')) throw new Error('it did not start');
  const note = (step: string) => (): void => lifecycle.log.info({ password: 'hunter2', request: { headers: { authorization: 'hunter2' } } }, step);
  const calls = lifecycle.metrics.counter({ name: 'sample_calls_total', help: 'Calls.', labels: ['kind'] });
  calls.labels({ kind: 'a' }).inc();
  lifecycle.use('first', { close: note('closed first') });
  lifecycle.use('second', { close: words.includes('stuck') ? () => new Promise<void>(() => undefined) : note('closed second') });
  lifecycle.onDrain('door', note('door shut'));
  let sound = !words.includes('unsound');
  lifecycle.readiness('sound', () => sound);
  process.on('SIGUSR2', () => (sound = !sound));
  if (words.includes('crashing')) setTimeout(() => void Promise.reject(new Error('nobody caught this')), 50);
  lifecycle.markReady({ port: 4_711 });
}
