import type { SettingsValues } from '../../proto/schema/settings.ts';
import type { Database } from '../postgres/database.ts';
import type { Transaction } from '../postgres/transaction.ts';
import type { Seal } from '../sealing/seal.ts';
import { effectiveSettings, type Tree } from './effective-settings.ts';
import { holdSettings, saveSettings, selectSettings } from './settings.sql.ts';

/** The settings as one version of them has them. */
export interface SettingsEdition {
  readonly version: string;
  /** What root has saved. */
  readonly saved: Tree;
  readonly values: SettingsValues;
}

/** The settings of the installation: what root has saved, over what the environment gives, over what holds anyway. */
export class Settings {
  readonly database: Database;
  /** What the environment gives, nested as settings are. */
  readonly given: Tree;
  readonly #seal: Seal;
  #known: SettingsEdition | undefined;

  constructor(database: Database, seal: Seal, given: Tree) {
    this.database = database;
    this.given = given;
    this.#seal = seal;
  }

  /** As they are now, whoever changed them where: the database is asked every time, and sends them when they are other ones. */
  async current(): Promise<SettingsEdition> {
    const [[version = null, sealed = null] = []] = await this.database.query(selectSettings, [this.#known?.version ?? unknownVersion]);
    if (version === null) throw new TypeError('svc.settings has no row: the migrations have not run');
    if (this.#known?.version === version) return this.#known;
    const saved = this.#open(sealed);
    this.#known = { version, saved, values: effectiveSettings(this.given, saved) };
    return this.#known;
  }

  /** What was saved, held until `tx` ends. */
  async hold(tx: Transaction): Promise<Tree> {
    const [row] = await tx.execute(holdSettings, []);
    return this.#open(row?.[0] ?? null);
  }

  async save(tx: Transaction, saved: Tree): Promise<void> {
    await tx.execute(saveSettings, [this.#seal.seal(JSON.stringify(saved), context).toString('hex')]);
  }

  #open(sealed: string | null): Tree {
    if (sealed === null) return {};
    const text = this.#seal.open(Buffer.from(sealed, 'hex'), context);
    if (text === undefined) throw new TypeError('the settings cannot be opened: they were sealed under another key or have been changed');
    return JSON.parse(text) as Tree;
  }
}

const context = 'settings';
const unknownVersion = '-1';
