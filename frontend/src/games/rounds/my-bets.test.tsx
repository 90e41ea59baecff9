import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { fetched } from "@/test-support/network";
import { SWRConfig } from "swr";
import type { GameHistoryEntry } from "./api";
import { ExplainRoundContext } from "./explain";
import type { GameRounds } from "./game-rounds";
import MyBets, { type MyBetsProps } from "./my-bets";

const game: GameRounds = {
  gameType: "dice",
  typeLabel: "Dice",
  resultText: () => "",
  detailText: () => "",
  columns: {
    result: { name: "Roll", cell: ({ diceResult }) => diceResult },
    bet: "Bet",
    terms: { name: "Target", cell: ({ targetNumber }) => `over ${targetNumber}` },
  },
};
const entry = (id: number): GameHistoryEntry => ({
  id,
  gameType: "dice",
  betAmount: "10.00",
  winAmount: "19.80",
  profit: "9.80",
  outcome: "win",
  createdAt: "2026-11-22T10:00:00Z",
  diceResult: 60,
  targetNumber: 50,
  betType: "over",
});
const entries = (from: number, count: number) => Array.from({ length: count }, (_, index) => entry(from - index));

const [verified, explained] = [vi.fn(), vi.fn()];
const show = (props: Partial<MyBetsProps>) =>
  render(
    <SWRConfig value={{ provider: () => new Map() }}>
      <ExplainRoundContext value={explained}>
        <MyBets game={game} rounds={[]} onVerifyRound={verified} {...props} />
      </ExplainRoundContext>
    </SWRConfig>,
  );
const numbers = () => screen.getAllByRole("button", { name: /: verify$/ }).map(({ textContent }) => textContent);
const more = () => screen.queryByRole("button", { name: "More" });

beforeEach(() => {
  fetched.mockReset();
});
afterEach(cleanup);

it("says what will be here", () => {
  show({});
  expect(screen.getByText("Place a bet and it appears here.")).toBeVisible();
});

it("shows a round with all its figures, and leads to proof and explanation", () => {
  show({ rounds: [entry(7)] });
  const row = screen.getAllByRole("row")[1];
  expect(row).toHaveTextContent("60#7$10.00over 501.98×+$9.80");
  fireEvent.click(screen.getByRole("button", { name: "Round 7: verify" }));
  expect(verified).toHaveBeenCalledWith(7);
  fireEvent.click(screen.getByRole("button", { name: "Round 7: how this result came about" }));
  expect(explained).toHaveBeenCalledWith(7);
  expect(more()).toBeNull();
});

it("shows the round in play first, which cannot be verified yet", () => {
  show({ rounds: [entry(9), entry(8)], inPlay: { roundId: 9, betAmount: "5.00" } });
  const [, first, second] = screen.getAllByRole("row");
  if (!first) throw new Error("there is no row");
  expect(first).toHaveTextContent("–#9$5.00––in play");
  expect(within(first).queryByRole("button")).toBeNull();
  expect(second).toHaveTextContent("#8");
});

it("loads the history only when more is asked for, and shows each round once", async () => {
  fetched.mockImplementation(
    async () => new Response(JSON.stringify(entries(20, 12)), { headers: { "Content-Type": "application/json" } }),
  );
  show({ rounds: entries(20, 8) });
  expect(numbers()).toHaveLength(8);
  expect(fetched).not.toHaveBeenCalled();
  fireEvent.click(more() as HTMLElement);
  await vi.waitFor(() => expect(numbers()).toHaveLength(12));
  expect(numbers().at(-1)).toBe("#9");
  expect(more()).toBeNull();
});

it("offers to try again if the history cannot be loaded", async () => {
  fetched.mockImplementation(async () => new Response("", { status: 500 }));
  show({ rounds: entries(20, 8) });
  fireEvent.click(more() as HTMLElement);
  expect(await screen.findByText("Older bets could not be loaded")).toBeVisible();
  expect(numbers()).toHaveLength(8);
});
