import { deepStrictEqual } from 'node:assert';
import { BenchFailure } from '../failure.ts';
import { psql } from '../load/psql.ts';
import type { Stage } from './scenario.ts';

/** Asks the service once, by an ordinary client. */
export async function ask(stage: Stage, path: string, init: RequestInit = {}): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(`${stage.service.baseUrl}${path}`, { ...init, signal: AbortSignal.timeout(30_000) });
  return { status: answer.status, body: await answer.json() };
}

/** Refuses to compare two sides that do not answer the same. */
export function demandEqual(what: string, service: unknown, postgres: unknown): void {
  try {
    deepStrictEqual(normal(service), normal(postgres));
  } catch (error) {
    throw new BenchFailure(`not measured: ${what} differs between the service and Postgres\n${(error as Error).message}`);
  }
}

/** The lines of a query, each parsed as JSON. */
export async function jsonLines(stage: Stage, statement: string): Promise<unknown[]> {
  return (await psql(stage.postgres, statement)).map((line) => JSON.parse(line) as unknown);
}

// Postgres writes an instant as 2027-01-01T00:00:00+00:00, the wire as 2027-01-01T00:00:00.000Z: one instant, two spellings.
function normal(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(normal);
  if (typeof value === 'object' && value !== null) return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, normal(part)]));
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)$/.test(value) ? Date.parse(value) : value;
}
