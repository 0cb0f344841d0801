/** The seconds that a `Retry-After` header asks for, given as seconds or as a date (RFC 9110, 10.2.3); undefined when it asks for none. */
export function retryAfterS(headers: Readonly<Record<string, string>>, nowMs: number): number | undefined {
  const text = headers['retry-after']?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Math.min(Number(text), secondsMax);
  // A date ends in its zone; what else Date.parse would take, such as `1.5`, is none here.
  const atMs = text.endsWith(' GMT') ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(atMs)) return undefined;
  return Math.min(Math.max(0, Math.ceil((atMs - nowMs) / 1000)), secondsMax);
}

/** A day: who asks for more would make a queue forget. */
const secondsMax = 86_400;
