import { z } from 'zod';
import { mailProviders } from '../proto/schema/settings.ts';
import { boolean, ConfigError, port, readConfig, secret, text } from '../proto/process/config.ts';
import { readIdentity, type RpcIdentity } from '../proto/rpc/identity.ts';
import { identityShape, listenAddress, targetList } from '../proto/rpc/rpc-config.ts';

/** What a store reads from its environment. */
export interface StoreConfig {
  readonly databaseUrl: string;
  readonly preparation: 'prepared' | 'unprepared';
  readonly adminKey: string;
  readonly encryptionKey: string;
  /** Where the workers are. */
  readonly workers: string;
  /** Made at the start where it is not there yet. */
  readonly firstRootUser: { readonly email: string; readonly password: string } | undefined;
  /** Settings that the environment gives, nested as settings are; what root saves wins over them. */
  readonly givenSettings: Readonly<Record<string, unknown>>;
  readonly listen: string;
  readonly identity: RpcIdentity;
}

export function readStoreConfig(): StoreConfig {
  const config = readConfig({ ...storeShape, ...identityShape });
  return {
    databaseUrl: config.DATABASE_URL,
    preparation: config.SVC_PREPARED ? 'prepared' : 'unprepared',
    adminKey: config.SVC_ADMIN_KEY,
    encryptionKey: config.SVC_ENCRYPTION_KEY,
    workers: config.SVC_WORKER_URL,
    firstRootUser: firstRootUser(config.SVC_ROOT_EMAIL, config.SVC_ROOT_PASSWORD),
    givenSettings: givenSettings(config),
    listen: config.SVC_RPC_LISTEN,
    identity: readIdentity(config),
  };
}

function firstRootUser(email: string | undefined, password: string | undefined): StoreConfig['firstRootUser'] {
  if (email !== undefined && password !== undefined) return { email, password };
  if (email === undefined && password === undefined) return undefined;
  throw new ConfigError(['SVC_ROOT_EMAIL, SVC_ROOT_PASSWORD: set both or neither']);
}

function givenSettings(config: z.output<z.ZodObject<typeof storeShape>>): StoreConfig['givenSettings'] {
  const mail = {
    provider: config.EMAIL_PROVIDER ?? (config.SVC_ENV === 'development' ? 'console' : undefined),
    fromAddress: config.EMAIL_FROM_ADDRESS,
    fromName: config.EMAIL_FROM_NAME,
    apiKey: config.EMAIL_API_KEY,
    apiSecret: config.EMAIL_API_SECRET,
    domain: config.EMAIL_DOMAIN,
    region: config.EMAIL_REGION,
    endpoint: config.EMAIL_ENDPOINT,
  };
  const given = Object.entries(mail).filter(([, value]) => value !== undefined);
  return { app: { publicUrl: config.SVC_PUBLIC_URL ?? `http://localhost:${config.SVC_PORT}` }, mail: Object.fromEntries(given) };
}

const storeShape = {
  DATABASE_URL: text('the address of the database, such as postgres://user:password@host:5432/name', /^postgres(ql)?:\/\/./),
  SVC_PREPARED: boolean(true),
  SVC_ADMIN_KEY: secret(16),
  SVC_ENCRYPTION_KEY: secret(32),
  SVC_WORKER_URL: targetList(),
  SVC_ROOT_EMAIL: text('the e-mail address of the first root user').optional(),
  SVC_ROOT_PASSWORD: text('a password of at least 8 characters').optional(),
  SVC_RPC_LISTEN: listenAddress(),
  SVC_ENV: z.enum(['development', 'production']).default('development').describe('development or production'),
  SVC_PORT: port(8090),
  SVC_PUBLIC_URL: text('the address by which clients reach the service, such as https://api.example.org', /^https?:\/\/[^\s/]+(\/\S*)?$/).optional(),
  EMAIL_PROVIDER: z
    .enum(mailProviders)
    .optional()
    .describe(`one of ${mailProviders.join(', ')}`),
  EMAIL_FROM_ADDRESS: z.email().optional().describe('the e-mail address that mail comes from'),
  EMAIL_FROM_NAME: text('the name that mail comes from').optional(),
  EMAIL_API_KEY: text('the key of the e-mail provider, or the user of the SMTP server').optional(),
  EMAIL_API_SECRET: text('the secret key of the e-mail provider, or the password of the SMTP server').optional(),
  EMAIL_DOMAIN: text('the domain at the e-mail provider').optional(),
  EMAIL_REGION: text('the region of the e-mail provider, such as eu-central-1').optional(),
  EMAIL_ENDPOINT: text('an address of the e-mail provider, or smtp://host:port', /^(https?|smtps?):\/\/./).optional(),
} satisfies z.ZodRawShape;
