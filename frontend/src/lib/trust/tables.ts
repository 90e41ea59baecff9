import type { DBSchema, IDBPDatabase } from "idb";
import type { Commitment, Failure, KnownKeys, LatestCheckpoint, RoundState, StoredReceipt } from "./records";

/** What is remembered, by table. */
export type Tables = {
  commitments: Commitment;
  receipts: StoredReceipt;
  rounds: RoundState;
  checkpoints: LatestCheckpoint;
  keys: KnownKeys;
  failures: Failure;
};
export type TableName = keyof Tables;
const NAMES: readonly TableName[] = ["commitments", "receipts", "rounds", "checkpoints", "keys", "failures"];

/** How many records of a user a table keeps; beyond that the oldest are dropped. A receipt has about a kilobyte. */
export const LIMITS: Readonly<Record<TableName, number>> = {
  commitments: 1000,
  receipts: 4000,
  rounds: 10_000,
  checkpoints: 10,
  keys: 10,
  failures: 50,
};

/** Computes a record from the one that is stored; undefined changes nothing. */
export type Change<R> = (known: R | undefined) => R | undefined;

/** Records by user and name. */
export interface Database {
  /** Whether the records outlive the page. */
  readonly isPersistent: boolean;
  get<T extends TableName>(table: T, userId: number, name: string): Promise<Tables[T] | undefined>;
  /** All records of a user, oldest first. */
  all<T extends TableName>(table: T, userId: number): Promise<Tables[T][]>;
  /** Reads a record and stores the changed one in one transaction; returns what is stored then. */
  change<T extends TableName>(
    table: T,
    userId: number,
    name: string,
    change: Change<Tables[T]>,
  ): Promise<Tables[T] | undefined>;
}

/** Forgets everything when the page is closed. */
export class MemoryDatabase implements Database {
  readonly isPersistent = false;
  readonly #tables = new Map<string, Map<string, unknown>>();

  #table<T extends TableName>(table: T, userId: number): Map<string, Tables[T]> {
    const key = `${table} ${userId}`;
    const known = this.#tables.get(key) ?? new Map<string, unknown>();
    this.#tables.set(key, known);
    return known as Map<string, Tables[T]>;
  }

  get<T extends TableName>(table: T, userId: number, name: string): Promise<Tables[T] | undefined> {
    return Promise.resolve(this.#table(table, userId).get(name));
  }

  all<T extends TableName>(table: T, userId: number): Promise<Tables[T][]> {
    return Promise.resolve([...this.#table(table, userId).values()].toSorted((one, other) => one.atMs - other.atMs));
  }

  async change<T extends TableName>(table: T, userId: number, name: string, change: Change<Tables[T]>) {
    const records = this.#table(table, userId);
    const known = records.get(name);
    const changed = change(known);
    if (changed === undefined) return known;
    records.set(name, changed);
    if (records.size > LIMITS[table]) {
      const [oldest] = await this.all(table, userId);
      if (oldest) records.delete(oldest.name);
    }
    return changed;
  }
}

interface Schema extends DBSchema {
  commitments: Stored<Commitment>;
  receipts: Stored<StoredReceipt>;
  rounds: Stored<RoundState>;
  checkpoints: Stored<LatestCheckpoint>;
  keys: Stored<KnownKeys>;
  failures: Stored<Failure>;
}
type Stored<R> = { key: [userId: number, name: string]; value: R; indexes: { age: [userId: number, atMs: number] } };

const NAME = "glasshouse-trust";
const VERSION = 1;
const AGE = "age";

/** All keys of a user: an array sorts after every number and text. */
const ofUser = (userId: number): IDBKeyRange => IDBKeyRange.bound([userId], [userId, []]);

class IndexedDatabase implements Database {
  readonly isPersistent = true;
  readonly #db: IDBPDatabase<Schema>;

  constructor(db: IDBPDatabase<Schema>) {
    this.#db = db;
  }

  get<T extends TableName>(table: T, userId: number, name: string): Promise<Tables[T] | undefined> {
    return this.#db.get(table, [userId, name]) as Promise<Tables[T] | undefined>;
  }

  all<T extends TableName>(table: T, userId: number): Promise<Tables[T][]> {
    return this.#db.getAllFromIndex(table, AGE, ofUser(userId)) as Promise<unknown> as Promise<Tables[T][]>;
  }

  async change<T extends TableName>(table: T, userId: number, name: string, change: Change<Tables[T]>) {
    const transaction = this.#db.transaction<TableName, "readwrite">(table, "readwrite");
    const { store } = transaction;
    const known = (await store.get([userId, name])) as Tables[T] | undefined;
    const changed = change(known);
    if (changed !== undefined) {
      await store.put(changed);
      const age = store.index(AGE);
      if (known === undefined && (await age.count(ofUser(userId))) > LIMITS[table])
        await (await age.openCursor(ofUser(userId)))?.delete();
    }
    await transaction.done;
    return changed ?? known;
  }
}

async function openIndexedDatabase(onLost: () => void): Promise<Database> {
  const { openDB } = await import("idb");
  const db = await openDB<Schema>(NAME, VERSION, {
    upgrade(created) {
      for (const name of NAMES)
        created.createObjectStore(name, { keyPath: ["userId", "name"] }).createIndex(AGE, ["userId", "atMs"]);
    },
    // A newer version of the page in another tab must not wait for this one.
    blocking(_current, _blocked, event) {
      (event.target as IDBDatabase).close();
      onLost();
    },
    terminated: onLost,
  });
  return new IndexedDatabase(db);
}

/** Uses IndexedDB, and from its first failure on the memory. Private windows of some browsers have no IndexedDB. */
class FallbackDatabase implements Database {
  readonly #memory = new MemoryDatabase();
  readonly #opened: Promise<Database>;
  #isLost = false;

  constructor() {
    this.#opened = openIndexedDatabase(() => this.#lose()).catch((error: unknown) => {
      console.info("IndexedDB is not available, so nothing is remembered after this page is closed", error);
      this.#lose();
      return this.#memory;
    });
  }

  get isPersistent(): boolean {
    return !this.#isLost;
  }

  #lose(): void {
    this.#isLost = true;
  }

  async #use<R>(action: (database: Database) => Promise<R>): Promise<R> {
    const database = await this.#opened;
    if (this.#isLost) return action(this.#memory);
    try {
      return await action(database);
    } catch (error) {
      console.warn("IndexedDB failed, so nothing is remembered after this page is closed", error);
      this.#lose();
      return action(this.#memory);
    }
  }

  get<T extends TableName>(table: T, userId: number, name: string) {
    return this.#use((database) => database.get(table, userId, name));
  }

  all<T extends TableName>(table: T, userId: number) {
    return this.#use((database) => database.all(table, userId));
  }

  change<T extends TableName>(table: T, userId: number, name: string, change: Change<Tables[T]>) {
    return this.#use((database) => database.change(table, userId, name, change));
  }
}

/** The database of this browser. */
export const openDatabase = (): Database => new FallbackDatabase();
