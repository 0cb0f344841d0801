/** A link by which the first root user can be made; undefined where there is one already, or the service cannot say. */
export async function setupLink(base: string, adminKey: string): Promise<string | undefined> {
  try {
    const answer = await fetch(`${base}/api/setup/link`, {
      method: 'POST',
      headers: { 'X-Admin-Key': adminKey },
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (answer.status !== 201) return undefined;
    return ((await answer.json()) as { readonly url: string }).url;
  } catch {
    return undefined;
  }
}

const timeoutMs = 2_000;
