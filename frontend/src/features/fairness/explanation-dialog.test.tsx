import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import "@/test-support/network";
import { SWRConfig } from "swr";
import type { SettledRound } from "@/games/rounds/api";
import { playDice } from "@/test-support/dice-rounds";
import { FairHouse } from "@/test-support/fair-house";
import { serve } from "@/test-support/serve";
import { ExplanationDialog } from "./explanation-dialog";

let house: FairHouse;
let round: SettledRound;
const openSeeds = vi.fn();

beforeEach(async () => {
  house = await FairHouse.open();
  round = await playDice(house, 1);
  serve(house, [round]);
});
afterEach(cleanup);

const show = (roundId = 1) =>
  render(
    <SWRConfig value={{ provider: () => new Map(), shouldRetryOnError: false }}>
      <ExplanationDialog open onOpenChange={() => undefined} roundId={roundId} onOpenSeeds={openSeeds} />
    </SWRConfig>,
  );
const steps = () => screen.getAllByRole("heading", { level: 3 }).map(({ textContent }) => textContent);

it("says what is still secret, and where to reveal it", async () => {
  show();
  expect(await screen.findByText(round.serverSeedHash)).toBeVisible();
  expect(steps()).toEqual(["Committed hash", "Server seed", "Client seed and nonce", "HMAC-SHA256", "Result"]);
  expect(screen.getByText(`${round.clientSeed}:0:0`)).toBeVisible();
  fireEvent.click(screen.getByRole("button", { name: "Go to seeds" }));
  expect(openSeeds).toHaveBeenCalledTimes(1);
});

it("shows every step once the seed is revealed", async () => {
  const { serverSeed } = house;
  await house.rotate("next-seed");
  show();
  expect(await screen.findByText(serverSeed)).toBeVisible();
  expect(steps()).toEqual(["Committed hash", "Server seed", "Client seed and nonce", "HMAC-SHA256", "Words", "Result"]);
  expect(screen.getByText("Its SHA-256 is exactly the committed hash, computed in your browser.")).toBeVisible();
  expect(screen.getByText("Exactly what the seeds give.")).toBeVisible();
  expect(screen.getByText(/begins with the word \d+; times 100, divided by 2³², rounded down, plus 1\./)).toBeVisible();
  expect(screen.getAllByRole("button", { name: /^Copy / })).toHaveLength(5);
});

it("shows a result that the seeds do not give", async () => {
  if (!round.dice) throw new Error("a round of dice was expected");
  const other = { ...round, dice: { ...round.dice, diceResult: (round.dice.diceResult % 100) + 1 } };
  serve(house, [other]);
  await house.rotate("next-seed");
  show();
  expect(await screen.findByText("This is not what the seeds give.")).toBeVisible();
});

it("offers to try again if the round cannot be loaded", async () => {
  show(2);
  expect(await screen.findByRole("button", { name: "Try Again" })).toBeVisible();
});
