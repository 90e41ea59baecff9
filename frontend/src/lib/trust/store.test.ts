import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { roundText } from "@/test-support/trust";
import { TrustStore } from "./store";
import { type Database, LIMITS, MemoryDatabase, openDatabase } from "./tables";

beforeEach(() => {
  vi.stubGlobal("indexedDB", new IDBFactory());
  vi.spyOn(console, "info").mockReturnValue();
  vi.spyOn(console, "warn").mockReturnValue();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const PAIR = {
  serverSeedHash: "a".repeat(64),
  nextServerSeedHash: "b".repeat(64),
  clientSeed: "mine",
  clientSeedBy: "player",
  nonce: 0,
} as const;
const RECEIPT = { text: roundText(1), index: 0, path: [], note: "" };

const kinds: [string, () => Database][] = [
  ["IndexedDB", openDatabase],
  ["memory", () => new MemoryDatabase()],
];

it.each(kinds)("remembers commitments per user in %s", async (_, open) => {
  const database = open();
  let now = 1;
  const [one, other] = [7, 8].map((userId) => new TrustStore(userId, database, () => now));
  await one?.rememberCommitment(PAIR);
  now = 2;
  await one?.rememberCommitment({ ...PAIR, serverSeedHash: PAIR.nextServerSeedHash, nextServerSeedHash: null });
  now = 3;
  await one?.rememberCommitment({ ...PAIR, nonce: 4 });
  await one?.rememberCommitment({ ...PAIR, nonce: 2 });
  expect(await one?.commitment(PAIR.serverSeedHash)).toMatchObject({ atMs: 1, nonce: 4, clientSeed: "mine" });
  expect(await one?.newestCommitment()).toMatchObject({ atMs: 2, nextServerSeedHash: null });
  expect(await other?.newestCommitment()).toBeUndefined();
});

it.each(kinds)("keeps what was proved or has failed in %s", async (_, open) => {
  const store = new TrustStore(7, open());
  expect(await store.rememberRound(1, "recorded", null)).toBe("recorded");
  expect(await store.rememberRound(1, "proved", "5f")).toBe("proved");
  expect(await store.rememberRound(1, "recorded", null)).toBe("proved");
  expect(await store.rememberRound(1, "failed", "5f")).toBe("failed");
  expect(await store.rememberRound(1, "proved", "5f")).toBe("failed");
  expect(await store.rounds()).toMatchObject([{ roundId: 1, status: "failed", entry: "5f" }]);
});

it.each(kinds)("replaces only the checkpoint that was known in %s", async (_, open) => {
  const store = new TrustStore(7, open());
  expect(await store.checkpoint("o")).toBeUndefined();
  expect(await store.replaceCheckpoint("o", undefined, "first")).toBe(true);
  expect(await store.replaceCheckpoint("o", undefined, "other")).toBe(false);
  expect(await store.replaceCheckpoint("o", "first", "second")).toBe(true);
  expect(await store.checkpoint("o")).toBe("second");
});

it.each(kinds)("reports a failure once and closes it in %s", async (_, open) => {
  const store = new TrustStore(7, open());
  const failure = { kind: "entry_missing", subject: "round 1", message: "missing", evidence: { a: 1 } } as const;
  await store.rememberFailure(failure);
  await store.closeFailures();
  await store.rememberFailure({ ...failure, message: "again" });
  expect(await store.failures()).toMatchObject([{ message: "missing", isClosed: true, evidence: { a: 1 } }]);
});

it.each(kinds)("drops the oldest records beyond the limit in %s", async (_, open) => {
  let now = 0;
  const store = new TrustStore(7, open(), () => (now += 1));
  for (let index = 0; index < LIMITS.failures + 5; index += 1)
    await store.rememberFailure({ kind: "log_forked", subject: String(index), message: String(index), evidence: {} });
  const failures = await store.failures();
  expect(failures).toHaveLength(LIMITS.failures);
  expect(failures[0]?.message).toBe("5");
});

it("remembers in the next visit", async () => {
  const first = new TrustStore(7);
  await first.rememberReceipt("round 1", "settled", RECEIPT);
  await first.rememberKeys(["a key"]);
  expect(first.isPersistent).toBe(true);
  const second = new TrustStore(7);
  expect(await second.receipt("round 1", "settled")).toEqual(RECEIPT);
  expect(await second.receipts()).toEqual([RECEIPT]);
  expect(await new TrustStore(8).keys()).toEqual(["a key"]);
});

it("uses memory and says so where IndexedDB is missing", async () => {
  vi.stubGlobal("indexedDB", undefined);
  const store = new TrustStore(7);
  await store.rememberCommitment(PAIR);
  expect(store.isPersistent).toBe(false);
  expect(await store.commitment(PAIR.serverSeedHash)).toBeDefined();
  expect(await new TrustStore(7).commitment(PAIR.serverSeedHash)).toBeUndefined();
});

it("uses memory where IndexedDB refuses to open", async () => {
  const refusing = new IDBFactory();
  vi.spyOn(refusing, "open").mockImplementation(() => {
    throw new DOMException("no storage in private windows", "SecurityError");
  });
  vi.stubGlobal("indexedDB", refusing);
  const store = new TrustStore(7);
  await store.rememberRound(1, "recorded", null);
  expect(await store.rounds()).toHaveLength(1);
  expect(store.isPersistent).toBe(false);
});

it("continues in memory when IndexedDB fails later", async () => {
  const store = new TrustStore(7);
  await store.rememberRound(1, "recorded", null);
  vi.spyOn(IDBDatabase.prototype, "transaction").mockImplementation(() => {
    throw new DOMException("the disk is full", "QuotaExceededError");
  });
  await store.rememberRound(2, "recorded", null);
  expect(await store.rounds()).toMatchObject([{ roundId: 2 }]);
  expect(store.isPersistent).toBe(false);
});
