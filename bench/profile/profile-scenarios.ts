import { mkdir, writeFile } from 'node:fs/promises';
import { setStage, type MeasureInput } from '../measure-scenarios.ts';
import { writeReadmeSection } from '../report/readme.ts';
import { repositoryRoot } from '../repository-root.ts';
import type { Scenario, Stage } from '../scenarios/scenario.ts';
import { Inspector } from './inspector.ts';
import { selfTime, type CpuProfile } from './self-time.ts';

const PROFILED = ['gateway', 'store'] as const;
const SAMPLING_US = 250;

/** Profiles gateway and store under the load of each scenario; answers the text, and keeps it in bench/profiles and bench/README.md. */
export async function profileScenarios(input: MeasureInput): Promise<string> {
  const stage = await setStage(input.service, input.rows, input.progress);
  const texts: string[] = [];
  await mkdir(new URL('bench/profiles/', repositoryRoot), { recursive: true });
  for (const scenario of input.chosen) {
    input.progress(`profiling: ${scenario.title}`);
    const text = await profileScenario(scenario, stage, input);
    await writeFile(new URL(`bench/profiles/${scenario.name}.txt`, repositoryRoot), `${text}\n`);
    texts.push(text);
  }
  const section = ['```', texts.join('\n\n'), '```'].join('\n');
  await writeReadmeSection('profile', section);
  return section;
}

async function profileScenario(scenario: Scenario, stage: Stage, input: MeasureInput): Promise<string> {
  try {
    const [service] = await scenario.prepare(stage);
    if (service === undefined) throw new TypeError(`${scenario.name} has no contender`);
    await service.run(input.pace.warmUpSeconds);
    const roles = await Promise.all(PROFILED.map(async (role) => ({ role, inspector: await Inspector.attach(firstPid(stage, role)) })));
    for (const { inspector } of roles) await startProfile(inspector);
    const result = await service.run(input.pace.seconds);
    const summaries = await Promise.all(
      roles.map(async ({ role, inspector }) => selfTime(`${scenario.title}, ${role}`, await stopProfile(inspector))),
    );
    return [`${scenario.title}: ${Math.round(result.rate).toLocaleString('en')}/s while being profiled`, ...summaries].join('\n\n');
  } finally {
    await scenario.tidy?.(stage);
  }
}

function firstPid(stage: Stage, role: (typeof PROFILED)[number]): number {
  const found = stage.service.processes().find((process) => process.role === role);
  if (found === undefined) throw new TypeError(`no ${role} is running`);
  return found.pid;
}

async function startProfile(inspector: Inspector): Promise<void> {
  await inspector.call('Profiler.enable');
  await inspector.call('Profiler.setSamplingInterval', { interval: SAMPLING_US });
  await inspector.call('Profiler.start');
}

async function stopProfile(inspector: Inspector): Promise<CpuProfile> {
  const { profile } = (await inspector.call('Profiler.stop')) as { profile: CpuProfile };
  inspector.close();
  return profile;
}
