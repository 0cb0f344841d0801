import type { Ids } from '../../../proto/values/ids.ts';
import type { Run } from '../rules/judge.ts';
import type { RecordShape } from '../shape/shape.ts';
import type { RecordBody } from '../shape/validate.ts';
import { selectUsername } from '../statements/account.sql.ts';

const lengthMax = 40;

/** The body with a name made from the e-mail, where it gives an e-mail and no name. */
export async function withUsername(ids: Pick<Ids, 'short'>, shape: RecordShape, body: RecordBody, run: Run): Promise<RecordBody> {
  const { username, email } = body.members;
  if (!shape.hasAccounts || (username !== undefined && username !== null) || typeof email !== 'string' || email === '') return body;
  const name = nameFrom(email);
  const taken = await run(
    shape.compiled.get('username', () => selectUsername(shape)),
    [name],
  );
  return { ...body, members: { ...body.members, username: taken.length === 0 ? name : `${name}_${ids.short()}` } };
}

function nameFrom(email: string): string {
  const local = email.slice(0, email.indexOf('@'));
  const name = local
    .replaceAll(/[^A-Za-z0-9_.-]/g, '')
    .replace(/^[.-]+/, '')
    .slice(0, lengthMax);
  return name === '' ? 'user' : name;
}
