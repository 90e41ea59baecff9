// What somebody can change who has the database, but not what was signed. In a new house, alice is player 2, her active
// seed pair is 3, her next one is 4, and her first rounds are 1, 2 and 3.

import { createHash, createHmac, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Journey, Look } from "./manipulated-journey";

export type Manipulation = {
  name: string;
  /** Changes the house of a player who has played rounds 1 to 3; there is a backup from after round 1. */
  change(journey: Journey): Promise<void>;
  /** What the player does then, until the browser notices it. */
  look: readonly Look[];
  /** What the browser says. */
  browser: RegExp;
  /** What the audit says of the evidence; it is a proof, or a claim because a part of it is not signed. */
  evidence: { worth: "proof" | "claim"; says: RegExp };
  /** What the audit of the log says, if the log itself is wrong. */
  log?: RegExp;
  /** What `glasshouse check` says; nothing if the files of the house agree with one another. */
  check?: RegExp;
};

const PLAYER = 2;
const ACTIVE = 3;
const NEXT = 4;

const sql = (statements: string) => ({ change: ({ house }: Journey) => house.change(statements) });
const batchOf = (round: number) => `(SELECT receipt_batch_id FROM rounds WHERE id = ${round})`;
const ofBatch = (column: string, round: number) => `(SELECT ${column} FROM log_batches WHERE id = ${batchOf(round)})`;

/** With other seeds, a round of dice is the same once in a hundred times. */
const ONE_OF_THREE = /- round [123]\b/;

/** Another server seed for a pair, as somebody with the seed key can derive it. */
async function anotherSeed({ house }: Journey, pair: number): Promise<void> {
  const key = (await readFile(house.file("data/seed-key"), "utf8")).trim();
  const salt = randomBytes(32);
  const seed = createHmac("sha256", key).update("glasshouse server seed v1").update(salt).digest("hex");
  const hash = createHash("sha256").update(seed).digest("hex");
  const values = (prefix: string) => `${prefix}salt = '${salt.toString("hex")}', server_seed_hash = '${hash}'`;
  await house.change(
    `UPDATE seed_pairs SET ${values("")} WHERE id = ${pair};
     UPDATE accounts SET ${values("seed_")} WHERE seed_pair_id = ${pair};`,
  );
}

/**
 * Leaves the entry of the next bet waiting, by a trigger of the thief, and changes it before it gets its place. The
 * server is closed meanwhile: it may just have read the entry, which it would then write into the log unchanged.
 */
async function changeWaiting(journey: Journey): Promise<void> {
  const { house } = journey;
  await house.hold();
  await journey.play(4);
  await house.stop();
  await house.change(`UPDATE log_batches SET entries = ${ofBatch("entries", 1)} WHERE id = ${batchOf(4)};`);
  await house.start();
}

export const MANIPULATIONS: readonly Manipulation[] = [
  {
    name: "a settled round's payout",
    ...sql("UPDATE rounds SET payout_cents = payout_cents + 1 WHERE id = 2;"),
    look: ["history"],
    browser: /Round 2 is not shown as the house has signed it\. The house shows a payout of/,
    evidence: { worth: "claim", says: /round 2: .*payout/ },
    check: /- round 2\b/,
  },
  {
    name: "a settled round's stake",
    ...sql("UPDATE rounds SET stake_cents = 50 WHERE id = 2;"),
    look: ["history"],
    browser: /Round 2 is not shown as the house has signed it\. The house shows a stake of \$0\.50 now, but signed/,
    evidence: { worth: "claim", says: /round 2: / },
    check: /- round 2\b/,
  },
  {
    name: "what the player chose in a round",
    ...sql("UPDATE rounds SET details = json_set(details, '$.targetNumber', 60) WHERE id = 2;"),
    look: ["verify", "wait"],
    browser: /Round 2 was in the public record before, but the house cannot prove it any more/,
    evidence: { worth: "claim", says: /round 2: / },
    check: /- round 2\b/,
  },
  {
    name: "a round's nonce",
    ...sql("UPDATE rounds SET nonce = 9 WHERE id = 2;"),
    look: ["verify"],
    browser: /Round 2 is not shown as the house has signed it\. The house shows the nonce 9 now, but signed 1/,
    evidence: { worth: "claim", says: /round 2: / },
    check: /- round 2\b/,
  },
  {
    name: "a round's seed pair",
    ...sql(`UPDATE rounds SET seed_pair_id = 1 WHERE id = 2;`),
    look: ["verify"],
    browser: /Round 2 is not shown as the house has signed it\. The house shows another seed pair/,
    evidence: { worth: "claim", says: /round 2: / },
    check: /- round 2\b/,
  },
  {
    name: "a round deleted with its money",
    ...sql("DELETE FROM rounds WHERE id = 2; DELETE FROM ledger_entries WHERE reference = 'round:2';"),
    look: ["history"],
    browser: /Round 2 is missing: the house says that there is no such round/,
    evidence: { worth: "claim", says: /round 2: / },
    check: /a round of player 2 with seed pair 3 before nonce 2 does not exist/,
  },
  {
    name: "a round added",
    ...sql(
      `CREATE TEMP TABLE added AS SELECT * FROM rounds WHERE id = 3;
       UPDATE added SET id = 900, nonce = 3, receipt_batch_id = NULL, receipt_index = NULL, idempotency_key = NULL,
         started_at_micros = started_at_micros + 10000000, ended_at_micros = ended_at_micros + 10000000;
       INSERT INTO rounds SELECT * FROM added; DROP TABLE added;
       UPDATE accounts SET next_nonce = 4 WHERE player_id = ${PLAYER};`,
    ),
    look: ["history"],
    browser: /The house gives no receipt of round 900/,
    evidence: { worth: "claim", says: /round 900: / },
    check: /the newest of which are the rounds 900\b/,
  },
  {
    name: "two rounds exchanged",
    ...sql(
      `UPDATE rounds SET id = -1 WHERE id = 1; UPDATE rounds SET id = 1 WHERE id = 2;
       UPDATE rounds SET id = 2 WHERE id = -1;`,
    ),
    look: ["verify"],
    browser: /Round 2 is not shown as the house has signed it\. The house shows (a payout of|the nonce 0)/,
    evidence: { worth: "claim", says: /round 2: / },
    check: /- round 2: receipt 0 of batch \d+ states something else/,
  },
  {
    name: "a revealed seed replaced",
    async change(journey) {
      await journey.look("prove");
      await journey.house.change(`UPDATE seed_pairs SET server_seed = '${"f".repeat(64)}' WHERE id = ${ACTIVE};`);
    },
    look: ["verify"],
    browser: /A revealed server seed does not have the hash that was shown for it\. It concerns rounds 1, 2 and 3/,
    evidence: { worth: "claim", says: /rounds 1, 2 and 3: / },
    check: ONE_OF_THREE,
  },
  {
    name: "the active pair's seed replaced",
    change: (journey) => anotherSeed(journey, ACTIVE),
    look: ["visit"],
    browser: /does not use the server seed that the house had committed to before\. It concerns rounds 1, 2 and 3/,
    evidence: { worth: "claim", says: /rounds 1, 2 and 3: / },
    check: ONE_OF_THREE,
  },
  {
    name: "the next pair's seed replaced",
    change: (journey) => anotherSeed(journey, NEXT),
    look: ["visit"],
    browser: /another hash for your next server seed than .* It concerns rounds 1, 2 and 3/,
    evidence: { worth: "claim", says: /rounds 1, 2 and 3: / },
    check: /receipt \d of player 2 is not true/,
  },
  {
    name: "the client seed changed after rounds",
    ...sql(
      `UPDATE seed_pairs SET client_seed = 'suits-the-house' WHERE id = ${ACTIVE};
       UPDATE accounts SET client_seed = 'suits-the-house' WHERE player_id = ${PLAYER};`,
    ),
    look: ["visit"],
    browser: /Your client seed was changed after rounds had been played with it\. It concerns rounds 1, 2 and 3/,
    evidence: { worth: "claim", says: /rounds 1, 2 and 3: / },
    check: /the seed pair [0-9a-f]{64} has another client seed than its last receipt states/,
  },
  {
    name: "an entry changed while it waits",
    change: changeWaiting,
    look: ["visit", "a minute", "wait", "bet"],
    browser: /Round 4 is not in the public record, although the house signed that it would be/,
    evidence: { worth: "proof", says: /round 4: the entry [0-9a-f]{64} of a settled round is not in the log/ },
    check: /- round 4: its entry is not in batch/,
  },
  {
    name: "an entry in the log changed",
    ...sql(`UPDATE log_batches SET entries = ${ofBatch("entries", 1)} WHERE id = ${batchOf(2)};`),
    look: ["verify", "wait"],
    browser: /Round 2 was in the public record before, but the house cannot prove it any more/,
    evidence: { worth: "proof", says: /round 2: / },
    log: /entry 3: its hash is .*, but the signed tree has/,
    check: /- round 2: its entry is not in batch/,
  },
  {
    name: "an entry in the log deleted",
    ...sql(`DELETE FROM log_batches WHERE id = ${batchOf(2)};`),
    look: ["verify", "wait"],
    browser: /Round 2 was in the public record before, but the house cannot prove it any more/,
    evidence: { worth: "proof", says: /round 2: / },
    log: /the entries 3 to 4 are not served/,
    check: /- round 2: its batch \d+ does not exist/,
  },
  {
    name: "an entry added to the log",
    ...sql(
      `UPDATE log_batches SET entries = CAST(${ofBatch("entries", 1)} || entries AS BLOB), entry_count = 2
       WHERE id = ${batchOf(2)};`,
    ),
    look: ["verify"],
    browser: /The proof that round 2 is in the public record is not valid/,
    evidence: { worth: "proof", says: /round 2: / },
    log: /entries \d to \d are not served|entry 3: its hash is/,
    check: /- round 2: entry \d+ of \S+ \(batch \d+\) is not the one in the tree/,
  },
  {
    name: "two entries in the log exchanged",
    ...sql(
      `CREATE TEMP TABLE first AS SELECT entries FROM log_batches WHERE id = ${batchOf(1)};
       UPDATE log_batches SET entries = ${ofBatch("entries", 2)} WHERE id = ${batchOf(1)};
       UPDATE log_batches SET entries = (SELECT entries FROM first) WHERE id = ${batchOf(2)}; DROP TABLE first;`,
    ),
    look: ["verify", "wait"],
    browser: /Round 2 was in the public record before, but the house cannot prove it any more/,
    evidence: { worth: "proof", says: /round 2: / },
    log: /entry 2: its hash is .*, but the signed tree has/,
    check: /- round 2: its entry is not in batch/,
  },
  {
    name: "the receipts of a commit changed",
    ...sql(`UPDATE log_batches SET receipts = ${ofBatch("receipts", 1)} WHERE id = ${batchOf(2)};`),
    look: ["verify", "wait", "verify again"],
    browser: /The house gives no receipt of round 2/,
    evidence: { worth: "claim", says: /round 2: / },
    check: /- round 2: the receipts of its batch are not those that were signed/,
  },
  {
    name: "the signature of a commit changed",
    ...sql(`UPDATE log_batches SET note = ${ofBatch("note", 1)} WHERE id = ${batchOf(2)};`),
    look: ["verify"],
    browser: /The receipt of round 2 is not valid/,
    evidence: { worth: "claim", says: /round 2: / },
    check: /- round 2: the receipts of its batch are not those that were signed/,
  },
  {
    name: "a tile of the log changed",
    ...sql("UPDATE log_tiles SET hashes = CAST(zeroblob(96) || substr(hashes, 97) AS BLOB) WHERE level = 0;"),
    look: ["verify", "wait"],
    browser: /Round 2 was in the public record before, but the house cannot prove it any more/,
    evidence: { worth: "proof", says: /rounds 1, 2 and 3/ },
    log: /does not agree with the entries below it/,
    check: /- round \d+: entry 2 of \S+ \(batch \d+\) has another hash in its tile/,
  },
  {
    name: "the checkpoint replaced by an older one",
    async change({ house }) {
      const older = await house.fromBackup("SELECT size || ', ' || quote(checkpoint) FROM backup.log_state;");
      await house.change(`UPDATE log_state SET (size, checkpoint) = (${older});`);
    },
    look: ["visit"],
    browser: /The public record was cut: it had 5 entries that the house signed, and has \d now/,
    evidence: { worth: "proof", says: /the log was truncated/ },
    log: /the log was truncated: it has \d entries, but 5 were signed before/,
    check: /the log ends after 3 entries, but a checkpoint of 5 was signed/,
  },
  {
    name: "an old backup restored",
    change: ({ house }) => house.restore(false),
    look: ["history"],
    browser: /Round 2 is missing: the house says that there is no such round/,
    evidence: { worth: "proof", says: /round 2: the entry [0-9a-f]{64} of a settled round is not in the log/ },
    log: /the log was truncated: it has 3 entries, but 5 were signed before/,
    check: /the log ends after 3 entries, but a checkpoint of 5 was signed: an old backup was restored/,
  },
  {
    name: "an old backup restored with the checkpoint in the data directory",
    change: ({ house }) => house.restore(true),
    look: ["bet"],
    browser: /The house signed two receipts of round 2 that contradict each other/,
    evidence: { worth: "proof", says: /round 2: one round is stated to have ended in two ways/ },
    log: /the log was (truncated|forked)/,
  },
];
