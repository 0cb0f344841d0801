import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { BenchFailure } from '../failure.ts';
import { plainEnvironment } from './plain-environment.ts';

export interface ChildInput {
  readonly script: URL;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly logFile: string;
}

const STOP_TIMEOUT_MS = 30_000;

/** A long-running program of ours, its output kept in a file; killed with the bench unless closed before. */
export class Child implements AsyncDisposable {
  readonly pid: number;
  readonly #child: ChildProcess;
  readonly #logFile: string;
  readonly #ended: Promise<void>;
  readonly #stopNow = (): void => void this.#child.kill('SIGTERM');

  constructor(input: ChildInput) {
    const log = openSync(input.logFile, 'a', 0o600);
    this.#child = spawn(process.execPath, ['--enable-source-maps', input.script.pathname, ...input.args], {
      env: plainEnvironment(input.environment),
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    this.#logFile = input.logFile;
    this.#ended = new Promise((resolve) => this.#child.once('close', () => resolve()));
    this.pid = this.#child.pid ?? 0;
    process.once('exit', this.#stopNow);
  }

  /** Waits until a URL answers 200; says what the program printed last when it does not. */
  async ready(url: string, timeoutMs: number): Promise<void> {
    const until = performance.now() + timeoutMs;
    while (performance.now() < until) {
      if (this.#child.exitCode !== null || this.#child.signalCode !== null) break;
      const answer = await fetch(url, { signal: AbortSignal.timeout(1000) }).catch(() => undefined);
      await answer?.arrayBuffer();
      if (answer?.status === 200) return;
      await delay(50);
    }
    throw new BenchFailure(`the service did not become ready; its last lines:\n${this.lastLines()}`);
  }

  lastLines(): string {
    return readFileSync(this.#logFile, 'utf8').trimEnd().split('\n').slice(-15).join('\n');
  }

  async close(): Promise<void> {
    process.off('exit', this.#stopNow);
    this.#child.kill('SIGTERM');
    const limit = setTimeout(() => this.#child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await this.#ended.finally(() => clearTimeout(limit));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
