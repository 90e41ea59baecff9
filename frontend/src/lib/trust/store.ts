import type { WireReceipt } from "./receipt";
import type { Commitment, Failure, FailureKind, KnownKeys, ProofStatus, RoundState } from "./records";
import { type Database, openDatabase } from "./tables";

/** The owner of what concerns all users of this browser. */
const SHARED = 0;
const KEYS = "keys";
const ACTIVE = "active";

/** A commitment as the house shows it. */
export type ShownCommitment = Omit<Commitment, "userId" | "name" | "atMs">;
/** A failure as it is found. */
export type FoundFailure = { kind: FailureKind; subject: string; message: string; evidence: object };

/** When a round was first known to be settled. */
function settledAt(known: RoundState | undefined, entry: string | null, nowMs: number): { settledMs?: number } {
  if (known?.settledMs !== undefined) return { settledMs: known.settledMs };
  return entry === null ? {} : { settledMs: nowMs };
}

/** Remembers for a user what the house has shown, in this browser. */
export class TrustStore {
  readonly #database: Database;
  readonly #userId: number;
  readonly #nowMs: () => number;

  constructor(userId: number, database: Database = openDatabase(), nowMs: () => number = Date.now) {
    this.#userId = userId;
    this.#database = database;
    this.#nowMs = nowMs;
  }

  /** Whether anything is remembered after the page is closed. Only known once something was read. */
  get isPersistent(): boolean {
    return this.#database.isPersistent;
  }

  commitment(serverSeedHash: string): Promise<Commitment | undefined> {
    return this.#database.get("commitments", this.#userId, serverSeedHash);
  }

  /** The pair that was the last new one. */
  async newestCommitment(): Promise<Commitment | undefined> {
    return (await this.#database.all("commitments", this.#userId)).at(-1);
  }

  /** Remembers a commitment, or what has become known of it since. When it was first seen is kept. */
  async rememberCommitment(shown: ShownCommitment): Promise<void> {
    const { serverSeedHash } = shown;
    await this.#database.change("commitments", this.#userId, serverSeedHash, (known) => ({
      userId: this.#userId,
      name: serverSeedHash,
      atMs: known?.atMs ?? this.#nowMs(),
      ...shown,
      nonce: Math.max(shown.nonce, known?.nonce ?? 0),
    }));
  }

  async receipt(subject: string, state: string): Promise<WireReceipt | undefined> {
    return (await this.#database.get("receipts", this.#userId, `${subject} ${state}`))?.wire;
  }

  async rememberReceipt(subject: string, state: string, wire: WireReceipt): Promise<void> {
    const name = `${subject} ${state}`;
    await this.#database.change("receipts", this.#userId, name, (known) => ({
      userId: this.#userId,
      name,
      atMs: known?.atMs ?? this.#nowMs(),
      wire,
    }));
  }

  /** All receipts that are still stored, for the evidence. */
  async receipts(): Promise<WireReceipt[]> {
    return (await this.#database.all("receipts", this.#userId)).map(({ wire }) => wire);
  }

  rounds(): Promise<RoundState[]> {
    return this.#database.all("rounds", this.#userId);
  }

  round(roundId: number): Promise<RoundState | undefined> {
    return this.#database.get("rounds", this.#userId, String(roundId));
  }

  /** Notes how far a round is verified. What was proved or failed stays so. */
  async rememberRound(roundId: number, status: ProofStatus, entry: string | null): Promise<ProofStatus> {
    const name = String(roundId);
    const stored = await this.#database.change("rounds", this.#userId, name, (known) =>
      known?.status === "failed" || (known?.status === "proved" && status === "recorded")
        ? undefined
        : {
            userId: this.#userId,
            name,
            atMs: known?.atMs ?? this.#nowMs(),
            roundId,
            status,
            // The receipt of the open round can be read after that of the settled one.
            entry: entry ?? known?.entry ?? null,
            ...settledAt(known, entry, this.#nowMs()),
          },
    );
    return stored?.status ?? status;
  }

  /** The note of the newest verified checkpoint. */
  async checkpoint(origin: string): Promise<string | undefined> {
    return (await this.#database.get("checkpoints", SHARED, origin))?.note;
  }

  /** Replaces the checkpoint, unless another tab has replaced it since; returns whether it did. */
  async replaceCheckpoint(origin: string, known: string | undefined, note: string): Promise<boolean> {
    const stored = await this.#database.change("checkpoints", SHARED, origin, (current) =>
      current?.note === known ? { userId: SHARED, name: origin, atMs: this.#nowMs(), note } : undefined,
    );
    return stored?.note === note;
  }

  /** The texts of the accepted verifier keys; empty before the first visit. */
  async keys(): Promise<string[]> {
    return (await this.#database.get(KEYS, SHARED, ACTIVE))?.keys ?? [];
  }

  async rememberKeys(keys: string[]): Promise<void> {
    const record: KnownKeys = { userId: SHARED, name: ACTIVE, atMs: this.#nowMs(), keys };
    await this.#database.change(KEYS, SHARED, ACTIVE, () => record);
  }

  failures(): Promise<Failure[]> {
    return this.#database.all("failures", this.#userId);
  }

  /** Keeps a failure; one that is already known is not reported again. */
  async rememberFailure({ subject, ...failure }: FoundFailure): Promise<void> {
    const name = `${failure.kind} ${subject}`;
    await this.#database.change("failures", this.#userId, name, (known) =>
      known === undefined
        ? { userId: this.#userId, name, atMs: this.#nowMs(), isClosed: false, ...failure }
        : undefined,
    );
  }

  async closeFailures(): Promise<void> {
    for (const { name } of await this.failures())
      // oxlint-disable-next-line no-await-in-loop -- there are few
      await this.#database.change("failures", this.#userId, name, (known) => known && { ...known, isClosed: true });
  }
}
