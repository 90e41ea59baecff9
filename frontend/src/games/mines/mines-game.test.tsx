import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { SWRConfig } from "swr";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { toast } from "@/components";
import { fetchOpenRounds } from "@/games/rounds/api";
import { hitRound, minesRound, paidRound, safeRound } from "@/test-support/mines";
import { openRounds } from "@/test-support/open-rounds";
import { cashOutMines, fetchMinesSettings, type MinesRound, revealCell, startMines } from "./api";
import { MinesGame } from "./mines-game";

vi.mock("./api", async (original) => ({
  ...(await original<object>()),
  fetchMinesSettings: vi.fn(),
  startMines: vi.fn(),
  revealCell: vi.fn(),
  cashOutMines: vi.fn(),
}));
vi.mock("@/games/rounds/api", async (original) => ({ ...(await original<object>()), fetchOpenRounds: vi.fn() }));
vi.mock("@/api/hooks", () => ({ useQuery: () => ({ data: [] }) }));
vi.mock("@/api/session", () => {
  const session = { user: { balance: "100.00" }, updateBalance: () => undefined, refresh: async () => undefined };
  return { useSession: () => session };
});
vi.mock("@/components", async (original) => ({ ...(await original<object>()), toast: vi.fn() }));
vi.stubGlobal("matchMedia", () => ({
  matches: false,
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
}));

const main = () => screen.getByTestId("main-action");
const cell = (number: number) => screen.getByRole("button", { name: new RegExp(`^Cell ${number},`) });
const announced = () => screen.getByRole("status").textContent;

async function setup({ inPlay = null, isPaused = false }: { inPlay?: MinesRound | null; isPaused?: boolean } = {}) {
  vi.mocked(fetchOpenRounds).mockResolvedValue(openRounds({ mines: inPlay }));
  render(
    <SWRConfig value={{ provider: () => new Map() }}>
      <MinesGame closed={isPaused ? "Paused" : ""} onVerifyRound={() => undefined} onOpenFairness={() => undefined} />
    </SWRConfig>,
  );
  await waitFor(() => expect(vi.mocked(fetchOpenRounds)).toHaveBeenCalled());
  await act(async () => undefined);
}

beforeEach(() => {
  // jsdom can neither match media queries nor animate: wins are celebrated without motion, on a desktop.
  vi.stubGlobal("matchMedia", (query: string) => ({
    matches: query.includes("reduced-motion"),
    addEventListener: vi.fn(),
    removeEventListener: vi.fn(),
  }));
  vi.mocked(fetchMinesSettings).mockResolvedValue({
    betAmount: "10.00",
    minBet: "0.10",
    maxBet: "1000.00",
    mines: 3,
    maxPayout: "100000.00",
  });
  vi.mocked(startMines).mockResolvedValue(minesRound(1));
  vi.mocked(revealCell).mockResolvedValue(safeRound(1));
  vi.mocked(cashOutMines).mockResolvedValue(paidRound(1));
});
afterEach(() => {
  cleanup();
  vi.resetAllMocks();
});

it("can be bet on, revealed and cashed out, with one announcement each", async () => {
  await setup();
  expect(main()).toHaveTextContent("Place bet $10.00");
  await act(async () => fireEvent.click(main()));
  expect(main()).toHaveTextContent("Choose a cell");
  expect(main()).toHaveAttribute("aria-disabled", "true");
  expect(announced()).toBe("3 mines in 25 cells. Choose a cell.");
  expect(screen.getByLabelText("Bet amount")).toHaveAttribute("readonly");
  expect(screen.getByLabelText("Number of mines")).toBeDisabled();
  await act(async () => fireEvent.click(cell(8)));
  expect(cell(8)).toHaveAccessibleName("Cell 8, safe");
  expect(announced()).toBe("Cell 8 is safe. 1 safe cell, 1.12×. A cash-out pays $11.25.");
  expect(screen.getByTestId("standing")).toHaveTextContent("Now, pays $11.251.12×Next 1.28×, 87.5% safe");
  expect(main()).toHaveTextContent("Cash out $11.25");
  await act(async () => fireEvent.click(main()));
  expect(toast).toHaveBeenCalledExactlyOnceWith({
    title: "Cashed Out!",
    description: "You won $11.25 at 1.12× (+$1.25)",
  });
  // The toast is announced by itself.
  expect(announced()).toBe("");
  expect(screen.getAllByRole("button", { name: /, mine$/ })).toHaveLength(3);
  expect(main()).toHaveTextContent("Place bet $10.00");
  expect(await screen.findByRole("table", { name: "Your last bets, newest first" })).toHaveTextContent(
    "1.12×#1$10.0031.12×+$1.25",
  );
});

it("shows all mines after one was hit", async () => {
  await setup({ inPlay: safeRound(1) });
  vi.mocked(revealCell).mockResolvedValueOnce(hitRound(1));
  await act(async () => fireEvent.click(cell(6)));
  expect(cell(6)).toHaveAccessibleName("Cell 6, mine, hit");
  expect(screen.getByTestId("standing")).toHaveTextContent("Mine on cell 6");
  expect(toast).toHaveBeenCalledExactlyOnceWith({
    title: "You Lost",
    description: "Cell 6 was a mine. You lost $10.00",
  });
});

it("picks a hidden cell at random", async () => {
  await setup({ inPlay: safeRound(1) });
  await act(async () => fireEvent.click(screen.getByRole("button", { name: "Random pick" })));
  const [reveal] = vi.mocked(revealCell).mock.calls[0] ?? [];
  expect(reveal?.roundId).toBe(1);
  expect([
    ...Array.from({ length: 7 }, (_, index) => index),
    ...Array.from({ length: 17 }, (_, index) => index + 8),
  ]).toContain(reveal?.cell);
});

it("cashes out with the key C, and starts with Enter in a field", async () => {
  await setup();
  fireEvent.keyDown(window, { key: "c" });
  await act(async () => fireEvent.keyDown(screen.getByLabelText("Bet amount"), { key: "Enter" }));
  expect(startMines).toHaveBeenCalledOnce();
  await act(async () => fireEvent.click(cell(8)));
  await act(async () => fireEvent.keyDown(screen.getByLabelText("Bet amount"), { key: "Enter" }));
  expect(cashOutMines).not.toHaveBeenCalled();
  await act(async () => fireEvent.keyDown(window, { key: "c" }));
  expect(cashOutMines).toHaveBeenCalledOnce();
});

it("says why a bet cannot be placed", async () => {
  await setup();
  fireEvent.change(screen.getByLabelText("Bet amount"), { target: { value: "0.05" } });
  await act(async () => fireEvent.click(main()));
  expect(toast).toHaveBeenCalledExactlyOnceWith({
    title: "Invalid Bet",
    description: "Minimum allowed is $0.10",
    variant: "destructive",
  });
  expect(screen.getByLabelText("Bet amount")).toHaveAccessibleDescription("Minimum allowed is $0.10");
  expect(startMines).not.toHaveBeenCalled();
});

it("starts nothing while it is paused", async () => {
  await setup({ isPaused: true });
  expect(main()).toHaveTextContent("Paused");
  await act(async () => fireEvent.click(main()));
  await act(async () => fireEvent.keyDown(screen.getByLabelText("Bet amount"), { key: "Enter" }));
  expect(startMines).not.toHaveBeenCalled();
});

it("can be finished while it is paused", async () => {
  await setup({ inPlay: safeRound(1), isPaused: true });
  await act(async () => fireEvent.click(cell(9)));
  expect(revealCell).toHaveBeenCalledOnce();
  await act(async () => fireEvent.click(main()));
  expect(cashOutMines).toHaveBeenCalledOnce();
  expect(main()).toHaveTextContent("Paused");
});
