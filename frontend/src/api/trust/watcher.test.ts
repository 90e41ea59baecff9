import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { fromHex, toBase64 } from "@/lib/trust/bytes";
import { TrustStore } from "@/lib/trust/store";
import { MemoryDatabase } from "@/lib/trust/tables";
import { FairHouse } from "@/test-support/fair-house";
import { houseWith, moneyText, pairText, rootOf } from "@/test-support/trust";
import { currentStatus, resetStatus } from "./status";
import { Watcher } from "./watcher";

const PLAYER = 7;
const MINUTE = 60_000;

let house: FairHouse;
let database: MemoryDatabase;
let watcher: Watcher;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  vi.spyOn(console, "warn").mockReturnValue();
  vi.spyOn(console, "info").mockReturnValue();
  resetStatus();
  house = await FairHouse.open();
  database = new MemoryDatabase();
  watcher = await visit();
});
afterEach(() => {
  watcher.stop();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** The page is opened, again with the same memory. */
async function visit(): Promise<Watcher> {
  const opened = new Watcher(PLAYER, new TrustStore(PLAYER, database), house.calls);
  await opened.start();
  return opened;
}

async function answer(body: unknown, path = "/api/dice/play"): Promise<void> {
  watcher.receive({ path, body });
  await watcher.settled();
}

const showState = async () => answer(await house.state(), "/api/fairness");
const failures = () => currentStatus().failures.map(({ kind }) => kind);
const statusOf = (roundId: number) => currentStatus().rounds.get(roundId);

/** Lets time pass until everything that is due then is done. */
async function pass(milliseconds: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(milliseconds);
  // Hashes are computed outside of the event loop's timers.
  await vi.waitFor(() => expect(watcher.isBusy).toBe(false));
}

it("records a round with its answer and proves it within a minute", async () => {
  await showState();
  await answer({ winAmount: "19.80", receipt: await house.settle(1) });
  expect(statusOf(1)).toBe("recorded");
  await house.publish(1);
  await pass(MINUTE);
  expect(statusOf(1)).toBe("proved");
  expect(failures()).toEqual([]);
  // And it is still known at the next visit.
  watcher.stop();
  resetStatus();
  watcher = await visit();
  expect(statusOf(1)).toBe("proved");
});

it("follows the log as it grows, and proves what an earlier visit did not", async () => {
  for (const id of [1, 2, 3, 4, 5]) {
    await answer({ receipt: await house.settle(id) });
    await house.publish(id);
    if (id !== 5) await pass(MINUTE);
  }
  expect([1, 2, 3, 4, 5].map(statusOf)).toEqual(["proved", "proved", "proved", "proved", "recorded"]);
  watcher.stop();
  watcher = await visit();
  await pass(MINUTE);
  expect(statusOf(5)).toBe("proved");
  expect(failures()).toEqual([]);
});

it("notes an open round, and the entry once it is settled", async () => {
  const open = { state: "open", payout: "-", entry: "-" };
  await answer({ round: { receipt: await house.settle(1, open) } });
  expect(statusOf(1)).toBe("recorded");
  house.nonce = 0;
  await answer({ receipt: await house.settle(1) }, "/api/events#crash");
  await house.publish(1);
  await pass(MINUTE);
  expect(statusOf(1)).toBe("proved");
});

it("waits for an entry that is late, and reports one that never comes", async () => {
  await answer({ receipt: await house.settle(1) });
  await pass(9 * MINUTE);
  expect(statusOf(1)).toBe("recorded");
  expect(failures()).toEqual([]);
  await pass(2 * MINUTE);
  expect(statusOf(1)).toBe("failed");
  expect(failures()).toEqual(["entry_missing"]);
});

it("does not accuse the house of a lost connection", async () => {
  house.calls.fetchProof = () => Promise.reject(new TypeError("the network is down"));
  await answer({ receipt: await house.settle(1) });
  await pass(20 * MINUTE);
  expect(statusOf(1)).toBe("recorded");
  expect(failures()).toEqual([]);
});

it("verifies answers again whose keys could not be fetched", async () => {
  const { fetchKeys } = house.calls;
  house.calls.fetchKeys = () => Promise.reject(new TypeError("the network is down"));
  watcher.stop();
  watcher = await visit();
  await answer({ receipt: await house.settle(1) });
  expect(statusOf(1)).toBeUndefined();
  house.calls.fetchKeys = fetchKeys;
  watcher.stop();
  watcher = await visit();
  await answer({ receipt: await house.settle(2) });
  expect(statusOf(2)).toBe("recorded");
});

it.each([
  [
    "a changed text",
    async () => {
      const receipt = await house.settle(1);
      return { ...receipt, text: receipt.text.replace("payout 1980", "payout 9999") };
    },
  ],
  ["another player's", () => house.settle(1, { player: 8 })],
  ["an incomplete one", () => Promise.resolve({ text: "glasshouse receipt v1\n" })],
  [
    "one by a stranger",
    async () => {
      house.signer = await houseWith(9);
      return house.settle(1);
    },
  ],
])("reports an invalid receipt: %s", async (_, receipt) => {
  await showState();
  // The key is known from before.
  await answer({ receipt: await house.receipt(moneyText("deposit 1", "credited")) });
  await answer({ receipt: await receipt() });
  expect(failures()).toEqual(["receipt_invalid"]);
  expect(statusOf(1)).not.toBe("recorded");
});

it("reports two receipts that contradict each other", async () => {
  await answer({ receipt: await house.settle(1) });
  house.nonce = 0;
  await answer({ receipt: await house.settle(1, { payout: 0 }) });
  expect(failures()).toEqual(["receipt_contradicted"]);
  expect(statusOf(1)).toBe("failed");
  const [failure] = currentStatus().failures;
  expect(JSON.stringify(failure?.evidence)).toContain("payout 1980");
  expect(JSON.stringify(failure?.evidence)).toContain("payout 0");
});

it("accepts the same receipt again", async () => {
  const receipt = await house.settle(1);
  await answer({ receipt });
  await answer([{ receipt }, { receipt: null }]);
  expect(failures()).toEqual([]);
});

it("reports a log that forks", async () => {
  for (const id of [1, 2]) {
    await answer({ receipt: await house.settle(id) });
    await house.publish(id);
  }
  await pass(MINUTE);
  // The history is rewritten: the first entry is another one.
  house.log[0] = fromHex("ab".repeat(32));
  await answer({ receipt: await house.settle(3) });
  await house.publish(3);
  await pass(MINUTE);
  expect(failures()).toEqual(["log_forked"]);
  expect(statusOf(3)).toBe("recorded");
});

it("reports a log that shrinks", async () => {
  for (const id of [1, 2, 3]) await house.publish(id);
  await answer({ receipt: await house.settle(1) });
  await pass(MINUTE);
  house.log.splice(0, 3, fromHex("ab".repeat(32)));
  await house.publish(4);
  await answer({ receipt: await house.settle(4) });
  await pass(MINUTE);
  expect(failures()).toEqual(["log_truncated"]);
});

it("accepts an older checkpoint of the same log", async () => {
  for (const id of [1, 2, 3]) await house.publish(id);
  await answer({ receipt: await house.settle(1) });
  await pass(MINUTE);
  const newer = house.log.splice(2, 1);
  await answer({ receipt: await house.settle(2) });
  const { fetchConsistency } = house.calls;
  house.calls.fetchConsistency = (from, to) => {
    house.log.push(...newer);
    return fetchConsistency(from, to);
  };
  await pass(MINUTE);
  expect(failures()).toEqual([]);
  expect(statusOf(2)).toBe("proved");
});

it("reports an invalid proof", async () => {
  await answer({ receipt: await house.settle(1) });
  await house.publish(1);
  await house.publish(2);
  const { fetchProof } = house.calls;
  house.calls.fetchProof = async (id) => ({ ...(await fetchProof(id)), path: [toBase64(await rootOf([]))] });
  await pass(MINUTE);
  expect(failures()).toEqual(["log_invalid"]);
  expect(statusOf(1)).toBe("failed");
});

it("reports a next hash that changes for the same pair", async () => {
  await showState();
  await answer({ ...(await house.state()), nextServerSeedHash: "2".repeat(64) }, "/api/fairness");
  expect(failures()).toEqual(["next_hash_changed"]);
});

it("reports a next hash in a receipt that differs from the one shown", async () => {
  await showState();
  const { serverSeedHash } = await house.state();
  await answer({ receipt: await house.receipt(pairText({ subject: `pair ${serverSeedHash}`, next: "2".repeat(64) })) });
  expect(failures()).toEqual(["next_hash_changed"]);
});

it("accepts a rotation to the committed seed", async () => {
  await showState();
  await answer(await house.rotate("mine"), "/api/fairness/rotate");
  await answer(await house.rotate("mine2"), "/api/fairness/rotate");
  expect(failures()).toEqual([]);
});

it("accepts that another device has rotated several times", async () => {
  await showState();
  for (const seed of ["a", "b", "c"]) await house.rotate(seed);
  await showState();
  expect(failures()).toEqual([]);
});

it("reports a pair that was not committed to", async () => {
  await showState();
  const dishonest = { ...(await house.state()), serverSeedHash: "3".repeat(64) };
  house.calls.fetchFairness = () => Promise.resolve(dishonest);
  await answer(dishonest, "/api/fairness");
  expect(failures()).toEqual(["pair_not_committed"]);
});

it("reports a rotation elsewhere whose seed was not committed to", async () => {
  await showState();
  for (const seed of ["a", "b", "c"]) await house.rotate(seed);
  const [third, , first] = house.former;
  if (!third || !first) throw new Error("there are three");
  house.former.splice(0, 3, third, first);
  await showState();
  expect(failures()).toEqual(["pair_not_committed"]);
});

it("reports a revealed seed that does not have its hash", async () => {
  await showState();
  const rotation = await house.rotate("mine");
  const revealed = { ...rotation.revealed, serverSeed: "f".repeat(64) };
  await answer({ ...rotation, revealed }, "/api/fairness/rotate");
  expect(failures()).toEqual(["seed_mismatch"]);
});

it("reports it in the list of former pairs too", async () => {
  await house.rotate("mine");
  await answer(
    house.former.map((pair) => ({ ...pair, serverSeed: "f".repeat(64) })),
    "/api/fairness/pairs",
  );
  expect(failures()).toEqual(["seed_mismatch"]);
});

it("lets the player replace the client seed only before the first round", async () => {
  house.clientSeedBy = "house";
  await showState();
  house.clientSeed = "mine";
  house.clientSeedBy = "player";
  await answer(await house.state(), "/api/fairness/client-seed");
  expect(failures()).toEqual([]);
  await answer({ receipt: await house.settle(1) });
  house.clientSeed = "suits-the-house";
  await showState();
  expect(failures()).toEqual(["client_seed_changed"]);
});

it("lets another device replace a client seed by the house before the first round", async () => {
  house.clientSeedBy = "house";
  await showState();
  house.clientSeed = "from-the-other-device";
  house.clientSeedBy = "player";
  await answer({ receipt: await house.settle(1) }, "/api/events#crash");
  await showState();
  expect(failures()).toEqual([]);
});

it("ignores answers that were overtaken by a rotation", async () => {
  const before = await house.state();
  await answer(await house.rotate("mine"), "/api/fairness/rotate");
  await answer(before, "/api/fairness");
  expect(failures()).toEqual([]);
  // The same, but rotated on another device.
  const between = await house.state();
  await house.rotate("mine2");
  await showState();
  await answer({ ...between, serverSeedHash: "4".repeat(64) }, "/api/fairness");
  expect(failures()).toEqual([]);
});

const credit = (amount: number, time: string) =>
  house.receipt(moneyText("deposit 1", "credited", { amount, time: `2026-11-21T19:48:55.${time}Z` }));

it("accepts several credits of one deposit, but not two returns of one withdrawal", async () => {
  await answer({ receipt: await credit(100, "000001") });
  await answer({ receipt: await credit(200, "000002") });
  expect(failures()).toEqual([]);
  for (const amount of [100, 200])
    await answer({ receipt: await house.receipt(moneyText("withdrawal 1", "returned", { amount })) });
  expect(failures()).toEqual(["receipt_contradicted"]);
});

it("ignores an answer that is older than what is known", async () => {
  const before = await house.state();
  await answer({ receipt: await house.settle(1) });
  await showState();
  await answer({ ...before, clientSeed: "older" }, "/api/fairness");
  expect(failures()).toEqual([]);
});

it("accepts a new key that the old one vouches for, and reports one that it does not", async () => {
  await answer({ receipt: await house.settle(1) });
  const [old, next] = [house.signer, await houseWith(2)];
  house.keys = [old.key, next.key];
  house.signer = {
    ...old,
    sign: async (text) => `${await old.sign(text)}${(await next.sign(text)).slice(text.length + 1)}`,
    receipts: async (texts) => {
      const [both, other] = [await old.receipts(texts), await next.receipts(texts)];
      const line = other[0]?.note.split("\n\n").at(1) ?? "";
      return both.map(({ text, index, path, note }) => ({ text, index, path, note: note + line }));
    },
  };
  await answer({ receipt: await house.settle(2) });
  house.signer = next;
  house.keys = [next.key];
  await answer({ receipt: await house.settle(3) });
  expect([1, 2, 3].map(statusOf)).toEqual(["recorded", "recorded", "recorded"]);
  expect(failures()).toEqual([]);
  house.signer = await houseWith(3);
  house.keys = [house.signer.key];
  await answer({ receipt: await house.settle(4) });
  await answer({ receipt: await house.settle(5) });
  expect(failures()).toEqual(["key_changed"]);
});

it("keeps failures until the player has saved the evidence", async () => {
  await showState();
  await answer({ ...(await house.state()), nextServerSeedHash: "2".repeat(64) }, "/api/fairness");
  await answer({ receipt: await house.settle(1) });
  watcher.stop();
  resetStatus();
  watcher = await visit();
  expect(failures()).toEqual(["next_hash_changed"]);
  expect(await watcher.evidence()).toMatchObject({
    format: "glasshouse evidence v1",
    player: PLAYER,
    keys: house.keys,
    failures: [{ kind: "next_hash_changed", evidence: { shownNow: { nextServerSeedHash: "2".repeat(64) } } }],
    receipts: [{ index: 0 }],
  });
  await watcher.closeFailures();
  expect(failures()).toEqual([]);
});

it("fetches the record of a round that was played elsewhere", async () => {
  await house.settle(1);
  await house.publish(1);
  const record = await watcher.publicRecord(1);
  expect(record).toMatchObject({ status: "proved", receipt: { roundId: 1, payoutCents: 1980 } });
  expect(record.entry).toBe("the entry of round 1");
  expect(await watcher.publicRecord(2)).toEqual({ status: undefined, receipt: null, entry: null });
});
