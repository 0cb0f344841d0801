/** A statement met another version of the schema than it was compiled for; nothing was read or changed. The caller reloads and runs again. */
export class StaleCatalogue extends Error {
  override readonly name = 'StaleCatalogue';

  constructor(cause?: unknown) {
    super('the catalogue has moved on', { cause });
  }
}
