import type { WireReceipt } from "./receipt";

// What the browser remembers of what the house has shown. Each record belongs to a user and has a name in its table.

type Record = { userId: number; name: string; atMs: number };

/** What the house committed to when it showed a pair. The name is the hash of its server seed. */
export type Commitment = Record & {
  serverSeedHash: string;
  /** Null if the pair was only seen in a receipt of a round. */
  nextServerSeedHash: string | null;
  clientSeed: string | null;
  clientSeedBy: "player" | "house" | null;
  /** The highest nonce that was shown: from 1 on, the client seed is fixed. */
  nonce: number;
};

/** A verified receipt. The name is its subject and state. */
export type StoredReceipt = Record & { wire: WireReceipt };

/** Recorded: a valid receipt is stored. Proved: and its public entry is in the log. */
export type ProofStatus = "recorded" | "proved" | "failed";

/** How far a round has been verified. The name is its ID. */
export type RoundState = Record & {
  roundId: number;
  status: ProofStatus;
  /** The leaf hash of its public entry, in hexadecimal; null while it is open. */
  entry: string | null;
  /** When this browser learned of its end; missing while it is open, and in older records. */
  settledMs?: number;
};

/** The newest verified checkpoint of a log. The name is its origin; it belongs to no user. */
export type LatestCheckpoint = Record & { note: string };

/** The verifier keys that this browser accepts. They belong to no user; there is one record. */
export type KnownKeys = Record & { keys: string[] };

export type FailureKind =
  | "next_hash_changed"
  | "pair_not_committed"
  | "client_seed_changed"
  | "seed_mismatch"
  | "receipt_invalid"
  | "receipt_missing"
  | "receipt_contradicted"
  | "key_changed"
  | "log_restarted"
  | "log_invalid"
  | "log_forked"
  | "log_truncated"
  | "entry_missing"
  | "entry_mismatch"
  | "round_mismatch"
  | "round_missing";

/** Something that an honest house does not do. The name is its kind and subject, so that it is reported once. */
export type Failure = Record & {
  kind: FailureKind;
  /** What happened, for the player. */
  message: string;
  /** Everything that others need to check it. */
  evidence: object;
  /** Whether the player has saved the evidence and closed the message. */
  isClosed: boolean;
};
