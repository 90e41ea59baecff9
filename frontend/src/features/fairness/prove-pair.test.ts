import { afterEach, beforeEach, expect, it, vi } from "vitest";
import "@/test-support/network";
import { Watcher } from "@/api/trust/watcher";
import { currentStatus, resetStatus } from "@/api/trust/status";
import type { SettledRound } from "@/games/rounds/api";
import { TrustStore } from "@/lib/trust/store";
import { MemoryDatabase } from "@/lib/trust/tables";
import { playDice } from "@/test-support/dice-rounds";
import { FairHouse } from "@/test-support/fair-house";
import { serve } from "@/test-support/serve";
import { type PairProof, provePair } from "./prove-pair";

let house: FairHouse;
let watcher: Watcher;
let rounds: SettledRound[];

beforeEach(async () => {
  vi.spyOn(console, "warn").mockReturnValue();
  vi.spyOn(console, "info").mockReturnValue();
  resetStatus();
  house = await FairHouse.open();
  watcher = new Watcher(7, new TrustStore(7, new MemoryDatabase()), house.calls);
  rounds = [];
});
afterEach(() => {
  watcher.stop();
  vi.restoreAllMocks();
});

async function play(...ids: number[]): Promise<void> {
  for (const id of ids) rounds.push(await playDice(house, id));
}

async function prove(change: (pair: Awaited<ReturnType<FairHouse["rotate"]>>["revealed"]) => void = () => undefined) {
  const { revealed } = await house.rotate("next");
  change(revealed);
  serve(house, rounds);
  const progress: number[] = [];
  const { signal } = new AbortController();
  const proof = await provePair(revealed, { watcher, signal, onProgress: (done) => progress.push(done) });
  return { proof, progress };
}

const failures = () => currentStatus().failures.map(({ kind }) => kind);
const CLEAN: PairProof = {
  matching: 0,
  proved: 0,
  recorded: 0,
  withoutReceipt: 0,
  unsupported: 0,
  mismatches: [],
};

it("proves every round of the pair, and only those", async () => {
  await play(1, 2);
  await house.rotate("second");
  await play(3, 4, 5, 6, 7, 8);
  const { proof, progress } = await prove();
  expect(proof).toEqual({ ...CLEAN, matching: 6, proved: 6 });
  expect(progress.at(-1)).toBe(6);
  expect(failures()).toEqual([]);
  expect(currentStatus().rounds.get(8)).toBe("proved");
  expect(currentStatus().rounds.has(1)).toBe(false);
});

it("says which rounds have no receipt, or are not in the record yet", async () => {
  await play(1, 2, 3);
  house.receiptsById.delete(1);
  house.places.delete(3);
  const { proof } = await prove();
  expect(proof).toEqual({ ...CLEAN, matching: 3, proved: 1, recorded: 1, withoutReceipt: 1 });
});

it("verifies the seeds alone where receipts cannot be verified", async () => {
  await play(1);
  const { revealed } = await house.rotate("next");
  serve(house, rounds);
  const { signal } = new AbortController();
  const proof = await provePair(revealed, { watcher: null, signal, onProgress: () => undefined });
  expect(proof).toEqual({ ...CLEAN, matching: 1, withoutReceipt: 1 });
});

const another = (change: (round: SettledRound) => SettledRound) => () => {
  rounds = rounds.map((round) => (round.id === 2 ? change(round) : round));
};

it.each<[string, () => void, string, string]>([
  [
    "another result",
    another(({ dice, ...round }) => ({ ...round, dice: dice && { ...dice, diceResult: 101 } })),
    "round_mismatch",
    "what its seeds give",
  ],
  ["another payout", another((round) => ({ ...round, winAmount: "5.00" })), "round_mismatch", "what its seeds give"],
  ["another client seed", another((round) => ({ ...round, clientSeed: "x" })), "round_mismatch", "what its seeds"],
])("reports a round with %s", async (_, change, kind, text) => {
  await play(1, 2, 3);
  change();
  const { proof } = await prove();
  expect(proof).toMatchObject({ matching: 2, mismatches: [{ roundId: 2 }] });
  expect(proof.mismatches[0]?.text).toContain(text);
  expect(failures()).toEqual([kind]);
  expect(currentStatus().rounds.get(2)).toBe("failed");
});

it("reports a receipt that says something else than the history", async () => {
  await play(1);
  house.nonce = 0;
  await house.settle(1, { stake: 500 });
  const { proof } = await prove();
  expect(proof.mismatches).toMatchObject([{ roundId: 1 }]);
  expect(failures()).toEqual(["round_mismatch"]);
});

it("reports an entry that says something else than the round", async () => {
  house.lines.set(1, '{"kind":"round","game":"dice"}');
  await play(1);
  const { proof } = await prove();
  expect(proof.mismatches).toMatchObject([{ roundId: 1 }]);
  expect(failures()).toEqual(["entry_mismatch"]);
});

it.each([
  { terms: { target: 51, side: "over" } },
  { terms: { target: 50, side: "under" } },
  { terms: { side: "over", target: 50 } },
  { words: "0".repeat(64) },
  { stake: 999 },
  { payout: 1 },
  { rules: 1 },
  { game: "crash" },
])("reports an entry with %j", async (change) => {
  rounds.push(await playDice(house, 1, change));
  const { proof } = await prove();
  expect(proof).toMatchObject({ matching: 0, mismatches: [{ roundId: 1 }] });
  expect(failures()).toEqual(["entry_mismatch"]);
});

it("reports an entry of another second than the receipt's", async () => {
  await play(1);
  house.lines.set(1, house.lineOf(1).replace(/"second":\d+/, '"second":1'));
  house.nonce = 0;
  await house.settle(1, { payout: (house.lineOf(1).match(/"payout":(\d+)/) ?? [])[1] ?? "" });
  await house.publish(1);
  await prove();
  expect(failures()).toEqual(["entry_mismatch"]);
});

it("does not say that everything holds if the public record does not", async () => {
  await play(1, 2);
  const proofOf = house.calls.fetchProof;
  house.calls.fetchProof = async (id) => ({ ...(await proofOf(id)), ...(id === 2 ? { entry: "another" } : {}) });
  const { proof } = await prove();
  expect(proof).toMatchObject({ matching: 1, proved: 1, mismatches: [{ roundId: 2 }] });
  expect(failures()).toEqual(["log_invalid"]);
});

it("does not say that everything holds if a receipt does not", async () => {
  await play(1);
  const receipt = house.receiptsById.get(1);
  if (receipt) house.receiptsById.set(1, { ...receipt, text: receipt.text.replace(/stake \d+/, "stake 1") });
  const { proof } = await prove();
  expect(proof).toMatchObject({ matching: 0, mismatches: [{ roundId: 1 }] });
  expect(failures()).toEqual(["receipt_invalid"]);
});

it("reports rounds that are missing or whose nonce was used twice", async () => {
  await play(1, 2, 3);
  rounds.splice(1, 1);
  expect((await prove()).proof.mismatches).toMatchObject([{ roundId: null }]);
  expect(failures()).toEqual(["round_mismatch"]);
});

it("reports a revealed seed without its hash", async () => {
  await play(1);
  const { proof } = await prove((pair) => (pair.serverSeed = "f".repeat(64)));
  expect(proof.mismatches).toContainEqual({ roundId: null, text: expect.stringContaining("hash") as string });
});

it("stops when it is told to", async () => {
  await play(1, 2, 3, 4, 5, 6);
  const { revealed } = await house.rotate("next");
  serve(house, rounds);
  const controller = new AbortController();
  const proving = provePair(revealed, {
    watcher: null,
    signal: controller.signal,
    onProgress: () => controller.abort(),
  });
  await expect(proving).rejects.toThrow(/abort/i);
});
