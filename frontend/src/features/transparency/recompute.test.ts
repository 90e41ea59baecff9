import { expect, it } from "vitest";
import { publicLog } from "@/test-support/public-log";
import type { LogLine } from "./api";
import { recomputeRounds } from "./recompute";

const { latest } = await (await publicLog()).overview();

const findingsOf = async (entries: readonly LogLine[]) =>
  (await recomputeRounds(entries)).map(({ finding }) => finding.kind);

it("recomputes the rounds of all games, and only rounds", async () => {
  const rounds = await recomputeRounds(latest);
  expect(rounds).toHaveLength(latest.length - 1);
  expect(new Set(rounds.map(({ label }) => label))).toEqual(
    new Set(["Dice", "Crash", "Stonks", "Jacks or Better", "Heads-up poker", "Mines"]),
  );
  expect(new Set(await findingsOf(latest))).toEqual(new Set(["holds"]));
});

const changed = (pattern: RegExp, by: string): LogLine[] =>
  latest
    .filter(({ entry }) => entry.includes('"kind":"round"'))
    .map(({ index, entry }) => ({ index, entry: entry.replace(pattern, by) }));

it.each([
  [/"payout":\d+/, '"payout":7'],
  [/"words":"\w{64}/, '"words":"'],
  [/"terms":\{/, '"terms":{"x":1,'],
  [/"second"/, '"player":7,"second"'],
  [/^/, " "],
  [/"kind":"round"/, '"kind":"bet"'],
])("finds that %s was changed to %s", async (pattern, by) => {
  expect(new Set(await findingsOf(changed(pattern, by)))).toEqual(new Set(["contradiction"]));
});

it("does not judge what it does not know", async () => {
  expect(new Set(await findingsOf(changed(/"rules":\d/, '"rules":3')))).toEqual(new Set(["unknown"]));
  expect(new Set(await findingsOf(changed(/"game":"\w+"/, '"game":"roulette"')))).toEqual(new Set(["unknown"]));
});
