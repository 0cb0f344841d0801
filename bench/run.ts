import { writeFile } from 'node:fs/promises';
import { INSPECTABLE } from './profile/inspector.ts';
import { Service } from './cluster/service.ts';
import { requireTools } from './load/require-tools.ts';
import { measureScenarios } from './measure-scenarios.ts';
import { parseOptions } from './options.ts';
import { profileScenarios } from './profile/profile-scenarios.ts';
import { writeReadmeSection } from './report/readme.ts';
import { report } from './report/report.ts';
import { repositoryRoot } from './repository-root.ts';
import { runMain } from './run-main.ts';

// `npm run bench`: the whole service against pgbench, on the same Postgres and the same rows.
await runMain(async (session) => {
  const options = parseOptions(process.argv.slice(2));
  const tools = requireTools();
  const progress = (line: string): void => session.progress(line);
  progress('starting a cluster as npm start does');
  const service = session.use(await Service.start({ environment: options.profile ? INSPECTABLE : {} }));
  const input = { ...options, service, tools, progress };
  if (options.profile) return profileScenarios(input);
  const run = await measureScenarios(input);
  const text = report(run);
  if (options.publish) {
    await writeFile(new URL('bench/baseline.json', repositoryRoot), `${JSON.stringify(run, null, 2)}\n`);
    await writeReadmeSection('table', text);
  }
  return text;
});
