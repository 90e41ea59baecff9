import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { fromHex } from "@/lib/trust/bytes";
import type { ShownRound } from "@/lib/trust/shown-round";
import { TrustStore } from "@/lib/trust/store";
import { MemoryDatabase } from "@/lib/trust/tables";
import { FairHouse, refusal } from "@/test-support/fair-house";
import { houseWith } from "@/test-support/trust";
import { type Answer, HISTORY, ROUND } from "./answers";
import { currentStatus, resetStatus } from "./status";
import { Watcher } from "./watcher";

const PLAYER = 7;
const MINUTE = 60_000;
/** After the time of the receipts. */
const LATER = "2026-11-21T20:00:00.000000Z";

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

async function visit(): Promise<Watcher> {
  const opened = new Watcher(PLAYER, new TrustStore(PLAYER, database), house.calls);
  await opened.start();
  return opened;
}

async function receive(answer: Answer): Promise<void> {
  watcher.receive(answer);
  await watcher.settled();
}

async function pass(milliseconds: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(milliseconds);
  await vi.waitFor(() => expect(watcher.isBusy).toBe(false));
}

const shown = (id: number, change: Partial<ShownRound> = {}): ShownRound => ({
  id,
  betAmount: "10.00",
  winAmount: "19.80",
  createdAt: LATER,
  ...change,
});

/** Plays a round here, whose entry is in the log. */
async function play(...ids: number[]): Promise<void> {
  for (const id of ids) {
    await receive({ path: "/api/dice/play", body: { receipt: await house.settle(id) } });
    await house.publish(id);
    house.rounds.set(id, shown(id));
  }
  await pass(MINUTE);
}

const call = (url: string, change: Partial<Answer["call"]> = {}) => ({
  url: `http://house.example${url}`,
  askedMs: Date.now(),
  status: 200,
  next: null,
  ...change,
});
const history = (rounds: readonly ShownRound[], change: Partial<Answer["call"]> = {}, query = "?limit=50") =>
  receive({ path: HISTORY, body: rounds, call: call(`${HISTORY}${query}`, change) });
const details = (id: number, body: object, status = 200) =>
  receive({ path: ROUND, body, call: call(`/api/rounds/${id}`, { status }) });

const isGone = (id: number) => `Round ${id} was in the public record before, but the house cannot prove it any more.`;

const messages = () => currentStatus().failures.map(({ message }) => message);
const kinds = () => currentStatus().failures.map(({ kind }) => kind);

it("accepts a history and details that say what was signed", async () => {
  await play(1, 2, 3);
  await history([3, 2, 1].map((id) => shown(id)));
  const { serverSeedHash } = await house.state();
  await details(2, shown(2, { nonce: 1, serverSeedHash }));
  expect(messages()).toEqual([]);
});

it.each<[string, Partial<ShownRound>, RegExp]>([
  ["another payout", { winAmount: "9.80" }, /^Round 2 .* shows a payout of \$9\.80 now, but signed \$19\.80\.$/],
  ["another stake", { betAmount: "1.00" }, /^Round 2 .* shows a stake of \$1\.00 now, but signed \$10\.00\.$/],
  ["another nonce", { nonce: 9 }, /^Round 2 .* shows the nonce 9 now, but signed 1\.$/],
  ["another pair", { serverSeedHash: "9".repeat(64) }, /^Round 2 .* shows another seed pair now/],
])("reports %s than the signed one", async (_, change, message) => {
  await play(1, 2);
  await details(2, shown(2, change));
  expect(messages()).toEqual([expect.stringMatching(message)]);
  const [failure] = currentStatus().failures;
  expect(failure?.evidence).toMatchObject({
    answers: [{ path: "/api/rounds/2", status: 200, body: { id: 2 } }],
    receipts: [{ text: expect.stringContaining("subject round 2\n") as string }],
  });
  expect(currentStatus().rounds.get(2)).toBe("failed");
});

it("reports a round that is missing from the history only if the house denies it", async () => {
  await play(1, 2, 3);
  // It is on another page, or was settled while the page was on its way.
  await history([shown(3), shown(1)]);
  expect(messages()).toEqual([]);
  watcher.stop();
  watcher = await visit();
  house.rounds.delete(2);
  await history([shown(3), shown(1)], {}, "?search=won");
  await history([shown(3)], { next: "3" });
  await history([shown(3), shown(1)], { askedMs: 0 });
  expect(messages()).toEqual([]);
  await history([shown(3), shown(1)]);
  expect(messages()).toEqual([
    "Round 2 is missing: the house says that there is no such round, but has signed a receipt of it.",
  ]);
});

it("notices a history that is empty, and a round that is denied when it is asked for", async () => {
  await play(1, 2);
  house.rounds.clear();
  await history([]);
  expect(kinds()).toEqual(["round_missing", "round_missing"]);
  await details(3, {}, 404);
  expect(kinds()).toHaveLength(2);
});

it("does not accuse the house of a lost connection, and asks again", async () => {
  await play(1, 2);
  const { fetchRound } = house.calls;
  house.calls.fetchRound = () => Promise.reject(new TypeError("the network is down"));
  house.rounds.delete(2);
  await history([shown(1)]);
  expect(messages()).toEqual([]);
  house.calls.fetchRound = fetchRound;
  await pass(MINUTE);
  await watcher.settled();
  expect(kinds()).toEqual(["round_missing"]);
});

it("accepts rounds from other devices and from before receipts existed, and reports others without a receipt", async () => {
  await play(2);
  await house.settle(3);
  await history([shown(3), shown(2), shown(1, { createdAt: "2026-11-01T00:00:00.000000Z" })]);
  expect(messages()).toEqual([]);
  expect(currentStatus().rounds.get(3)).toBe("recorded");
  expect(currentStatus().rounds.has(1)).toBe(false);
  await history([shown(900), shown(3), shown(2)]);
  expect(messages()).toEqual(["The house gives no receipt of round 900, although every round has one."]);
});

it("reports an internal error only if it lasts for ten minutes", async () => {
  await play(1);
  const fault = { code: "fault", message: "Something went wrong" };
  for (const minutes of [0, 4, 5]) {
    await pass(minutes * MINUTE);
    await details(1, fault, 500);
    expect(messages()).toEqual([]);
  }
  await pass(MINUTE);
  await details(1, fault, 500);
  expect(messages()).toEqual([expect.stringMatching(/^Round 1 has been unavailable for more than ten minutes/)]);
});

it("reports at once that a round is not in the log any more, but an error only after ten minutes", async () => {
  await play(1, 2);
  const { fetchProof } = house.calls;
  house.calls.fetchProof = () => Promise.reject(refusal(500, "Something went wrong"));
  await watcher.publicRecord(1);
  await pass(9 * MINUTE);
  expect(messages()).toEqual([]);
  await pass(2 * MINUTE);
  expect(messages()).toEqual([isGone(1)]);
  house.calls.fetchProof = fetchProof;
  house.places.delete(2);
  await watcher.publicRecord(2);
  expect(messages()).toEqual([isGone(1), isGone(2)]);
});

it("counts the ten minutes from the end of the round, also over several visits", async () => {
  await receive({ path: "/api/dice/play", body: { receipt: await house.settle(1) } });
  for (const minutes of [4, 4]) {
    await pass(minutes * MINUTE);
    watcher.stop();
    watcher = await visit();
  }
  await pass(MINUTE);
  expect(messages()).toEqual([]);
  await pass(3 * MINUTE);
  expect(messages()).toEqual([expect.stringMatching(/^Round 1 is not in the public record/)]);
});

it("gives a house that was closed for a day a minute to catch up", async () => {
  await receive({ path: "/api/dice/play", body: { receipt: await house.settle(1) } });
  watcher.stop();
  await pass(24 * 60 * MINUTE);
  watcher = await visit();
  await pass(MINUTE / 3);
  await house.publish(1);
  await pass(MINUTE);
  expect(messages()).toEqual([]);
  expect(currentStatus().rounds.get(1)).toBe("proved");
});

it("reports a receipt that the house gave before and denies or changes now", async () => {
  await play(1, 2);
  house.receiptsById.delete(1);
  await watcher.publicRecord(1);
  expect(messages()).toEqual(["The house gives no receipt of round 1, although every round has one."]);
  const other = house.receiptsById.get(2);
  if (other) house.receiptsById.set(2, { ...other, note: other.note.replace("/receipts\n2", "/receipts\n3") });
  await watcher.publicRecord(2);
  expect(kinds()).toEqual(["receipt_missing", "receipt_invalid"]);
});

it("notices at the next visit, and when bets are refused, that the log was cut", async () => {
  await play(1, 2, 3);
  const all = house.log.splice(1);
  await receive({
    path: "/api/dice/play",
    body: { code: "public_log_unavailable" },
    call: call("/api/dice/play", { status: 503 }),
  });
  expect(messages()).toEqual(["The public record was cut: it had 3 entries that the house signed, and has 1 now."]);
  house.log.push(...all);
  watcher.stop();
  watcher = await visit();
  await watcher.settled();
  expect(messages()).toHaveLength(1);
});

it("does not take the proofs of a log that has ended for a fork", async () => {
  await play(1);
  const { signer, log } = house;
  // The old log grew once more, and another one began since. Its key was announced by the old one.
  log.push(fromHex("ab".repeat(32)));
  const last = await house.proof(1);
  const next = await houseWith(1, "play.example/glasshouse-2");
  house.keys = [signer.key, next.key];
  house.calls.fetchProof = () => Promise.resolve(last);
  house.calls.fetchConsistency = () => Promise.resolve(null);
  house.calls.fetchCheckpoint = () => next.signTree({ size: 1, root: fromHex("cd".repeat(32)) });
  await watcher.publicRecord(1);
  expect(messages()).toEqual([]);
});
