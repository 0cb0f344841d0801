import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { chromium, type Browser, type CDPSession, type Page } from 'playwright-core';
import { childEnvironment } from '../../proto/process/config.ts';

const systemBrowsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A real browser: that of the system, or the one that a package brings. Fails where none starts. */
export async function openBrowser(): Promise<Browser> {
  const system = systemBrowsers.find((file) => existsSync(file));
  if (system !== undefined) return chromium.launch({ executablePath: system, args });
  const folder = await unpacked();
  const executablePath = path.join(folder, 'chromium');
  try {
    return await chromium.launch({ executablePath, args });
  } catch {
    // A machine without the libraries that browsers need: the package has them, too.
    return chromium.launch({ executablePath, args, env: environment({ LD_LIBRARY_PATH: path.join(folder, 'al2023', 'lib') }) });
  }
}

/** Where the package's browser lies unpacked: in this checkout, once for all runs. Who unpacks at the same moment keeps to himself until he is done. */
async function unpacked(): Promise<string> {
  const folder = path.resolve('node_modules', '.cache', 'svc-test-browser');
  if (existsSync(folder)) return folder;
  mkdirSync(path.dirname(folder), { recursive: true });
  const staging = mkdtempSync(`${folder}-`);
  const script = `import('@sparticuz/chromium').then(({ default: chromium }) => chromium.executablePath())`;
  // Told that it runs in the cloud, the package unpacks the libraries as well.
  const env = environment({ TMPDIR: staging, AWS_LAMBDA_JS_RUNTIME: 'nodejs20.x' });
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { env });
  try {
    renameSync(staging, folder);
  } catch {
    rmSync(staging, { recursive: true, force: true });
  }
  return folder;
}

function environment(set: Readonly<Record<string, string>>): Record<string, string> {
  return childEnvironment({ grant: [], set });
}

/** A page in a context of its own, with an authenticator that confirms whatever it is asked (Web Authentication, 11). */
export async function pageWithAuthenticator(browser: Browser): Promise<{ readonly page: Page; readonly session: CDPSession }> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { page, session };
}
