import { ask, complaintOf } from './page.ts';

/** Signs in with a passkey; resolves to the token, or to what went wrong. */
export async function passkeyToken(collection: string): Promise<{ readonly token: string } | { readonly complaint: string }> {
  const path = `/api/svc/${encodeURIComponent(collection)}/passkey/login`;
  const begun = await ask('POST', `${path}/options`, {});
  if (begun.status !== 200) return { complaint: complaintOf(begun) };
  const { publicKey } = begun.body['options'] as { readonly publicKey: PublicKeyCredentialRequestOptionsJSON };
  const credential = await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(publicKey) }).catch(() => null);
  if (!(credential instanceof PublicKeyCredential)) return { complaint: 'No passkey was used.' };
  const sessionToken = begun.body['sessionToken'];
  const answer = await ask('POST', `${path}/verify`, { ...credential.toJSON(), sessionToken });
  return answer.status === 200 ? { token: String(answer.body['token']) } : { complaint: complaintOf(answer) };
}
