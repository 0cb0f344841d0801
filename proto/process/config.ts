import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { z } from 'zod';
import { ConfigError } from './config-error.ts';

export { ConfigError } from './config-error.ts';
export { boolean, byteCount, cidrList, count, duration, list, port, secret, text } from './config-values.ts';

/**
 * The environment as `shape` declares it, parsed; every wrong or missing variable is reported at once.
 * Called without an environment it reads the process' own, after the `.env` file (whose values never win over the real ones).
 */
export function readConfig<Shape extends z.ZodRawShape>(shape: Shape, environment?: Environment): z.output<z.ZodObject<Shape>> {
  const given = withoutEmpty(environment ?? processEnvironment());
  const parsed = z.object(shape).safeParse(given);
  if (parsed.success) return parsed.data;
  throw new ConfigError(complaints(shape, given, parsed.error));
}

/** Sets a variable that a library reads when it is loaded; one that is set already stays. */
export function presetForLibrary(name: string, value: string): void {
  if (!process.env[name]) process.env[name] = value;
}

/** What a child process is given: the neutral part of this environment, the names in `grant`, and `set` over both. */
export function childEnvironment(input: ChildEnvironmentInput): Record<string, string> {
  const own = withoutEmpty(processEnvironment());
  const passed = Object.entries(own).filter(([name]) => isNeutral(name) || input.grant.some((pattern) => pattern.test(name)));
  return { ...Object.fromEntries(passed), ...input.set };
}

export interface ChildEnvironmentInput {
  /** Names that hold secrets or databases and that this child may see. */
  readonly grant: readonly RegExp[];
  readonly set: Readonly<Record<string, string>>;
}

export type Environment = Readonly<Record<string, string | undefined>>;

// A list of what passes, not of what does not: a credential that somebody exported for another program reaches no child by accident.
const neutralNames =
  /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|TERM|COLORTERM|FORCE_COLOR|NO_COLOR|NODE_(ENV|OPTIONS|EXTRA_CA_CERTS|NO_WARNINGS|DEBUG|V8_COVERAGE)|UV_\w+|SSL_CERT_\w+|OTEL_\w+|SVC_\w+|LD_LIBRARY_PATH|GRPC_\w+)$/;
const secretNames = /(_KEY|_SECRET|_PASSWORD|_TOKEN|_URL|^SVC_ROOT_\w+)$/;
/** Their names look like those of secrets; they hold addresses and the names of files. */
const harmlessNames = /^SVC_((PUBLIC|STORE|WORKER|AUTH)_URL|TLS_KEY)$/;

function isNeutral(name: string): boolean {
  return neutralNames.test(name) && (!secretNames.test(name) || harmlessNames.test(name));
}

/** The one read of the process' environment. */
function processEnvironment(): Environment {
  const own = process.env;
  for (const [name, value] of Object.entries(envFile(own['SVC_ENV_FILE'] || '.env'))) {
    if (!own[name]) own[name] = value;
  }
  return own;
}

function envFile(path: string): NodeJS.Dict<string> {
  if (path === 'none') return {};
  try {
    return parseEnv(readFileSync(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new ConfigError([`${path}: cannot be read (${(error as Error).message})`]);
  }
}

function withoutEmpty(environment: Environment): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && value.trim() !== '') kept[name] = value.trim();
  }
  return kept;
}

function complaints(shape: z.ZodRawShape, given: Environment, error: z.ZodError): string[] {
  const byName = new Map<string, string>();
  for (const issue of error.issues) {
    const name = String(issue.path[0] ?? 'environment');
    if (!byName.has(name)) byName.set(name, complaint(name, given[name], issue.message, expectation(shape, name)));
  }
  return [...byName.values()];
}

function complaint(name: string, value: string | undefined, message: string, expected: string | undefined): string {
  if (value === undefined) return `${name} is missing; it should be ${expected ?? 'set'}`;
  const shown = secretNames.test(name) ? 'the value given is not shown' : `it is ${JSON.stringify(value.slice(0, 80))}`;
  return `${name} ${expected === undefined ? `is not usable: ${message}` : `should be ${expected}`}; ${shown}`;
}

function expectation(shape: z.ZodRawShape, name: string): string | undefined {
  for (let schema = shape[name]; schema !== undefined; schema = innerType(schema)) {
    const description = z.globalRegistry.get(schema as z.ZodType)?.description;
    if (description !== undefined) return description;
  }
  return undefined;
}

/** What `.optional()` and its like wrap: the description stands on the schema inside. */
function innerType(schema: z.core.$ZodType): z.core.$ZodType | undefined {
  return (schema._zod.def as { innerType?: z.core.$ZodType }).innerType;
}
