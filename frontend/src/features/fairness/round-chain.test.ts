import { expect, it } from "vitest";
import "@/test-support/network";
import { words } from "@/lib/fairness/stream";
import { playDice } from "@/test-support/dice-rounds";
import { FairHouse } from "@/test-support/fair-house";
import { chainOf } from "./round-chain";

it("ends at the message until the server seed is revealed", async () => {
  const house = await FairHouse.open();
  const round = await playDice(house, 1);
  expect(await chainOf({ ...round, serverSeed: null })).toEqual({
    round: { ...round, serverSeed: null },
    message: `${round.clientSeed}:0:0`,
    revealed: null,
  });
});

it("computes hash, block, words and result from the revealed seed", async () => {
  const house = await FairHouse.open();
  const { serverSeed } = house;
  const round = await playDice(house, 1);
  const { revealed } = await chainOf({ ...round, serverSeed });
  expect(revealed?.computedHash).toBe(round.serverSeedHash);
  expect(revealed?.block).toMatch(/^[0-9a-f]{64}$/);
  expect(revealed?.words).toEqual(await words(serverSeed, round.clientSeed, round.nonce, 8));
  expect(Number.parseInt(revealed?.block.slice(0, 8) ?? "", 16)).toBe(revealed?.words[0]);
  expect(revealed?.verification?.holds).toBe(true);
});

it("shows a seed with another hash, and a result that does not follow", async () => {
  const house = await FairHouse.open();
  const round = await playDice(house, 1);
  const { revealed } = await chainOf({ ...round, serverSeed: "f".repeat(64) });
  expect(revealed?.computedHash).not.toBe(round.serverSeedHash);
  expect(revealed?.verification?.holds).toBe(false);
});
