import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { SWRConfig } from "swr";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ConnectionError } from "@/api/client";
import { toast } from "@/components";
import { setTurbo } from "@/lib/turbo";
import { type DicePlayRequest, type DicePlayResult, playDice } from "./api";
import { DiceGame } from "./dice-game";

vi.mock("./api", () => ({ playDice: vi.fn() }));
vi.mock("@/api/hooks", () => ({ useQuery: () => ({ data: undefined }), FETCH_ONCE: {} }));
vi.mock("@/api/session", () => {
  const session = { user: { id: 7, balance: "100.00" }, updateBalance: () => undefined };
  return { useSession: () => session, useUser: () => session.user };
});
vi.mock("@/components", async (original) => ({ ...(await original<object>()), toast: vi.fn() }));
// Motion is reduced, because this environment has no animations.
vi.stubGlobal("matchMedia", (query: string) => ({
  matches: query.includes("reduced-motion"),
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
}));
vi.stubGlobal(
  "ResizeObserver",
  class {
    observe() {}
    unobserve() {}
    disconnect() {}
  },
);

let rounds: { bet: DicePlayRequest; key: string }[] = [];
const won = (): DicePlayResult => ({
  availableToWithdraw: "0.00",
  diceResult: 77,
  isWin: true,
  multiplier: "1.98",
  newBalance: "110.00",
  nonce: 0,
  payout: "1.98",
  receipt: null,
  roundId: rounds.length,
  winAmount: "20.00",
});
const main = () => screen.getByTestId("main-action");
const amount = () => screen.getByLabelText<HTMLInputElement>("Bet amount");
const press = (key: string) => act(async () => void fireEvent.keyDown(document.body, { key }));

beforeEach(() => {
  rounds = [];
  setTurbo(true);
  vi.mocked(playDice).mockImplementation(async (bet, key) => {
    rounds.push({ bet, key });
    return won();
  });
  render(
    <SWRConfig value={{ provider: () => new Map() }}>
      <DiceGame closed="" onVerifyRound={() => undefined} onOpenFairness={() => undefined} />
    </SWRConfig>,
  );
});
afterEach(() => {
  cleanup();
  setTurbo(false);
  vi.clearAllMocks();
});

it("is played with single keys, and repeats the last bet with all of its terms", async () => {
  await press("d");
  expect(rounds).toEqual([]);
  await press("a");
  await press(" ");
  await screen.findByText(/Round #1$/);
  expect(vi.mocked(toast)).toHaveBeenCalledWith(expect.objectContaining({ title: "You Won!" }));
  await press("s");
  fireEvent.change(screen.getByRole("textbox", { name: "Target number" }), { target: { value: "20" } });
  expect(main()).toHaveTextContent("Roll for $10.00");
  await press("d");
  await screen.findByText(/Round #2$/);
  expect(rounds.map(({ bet }) => bet)).toEqual([
    { betAmount: "5.00", targetNumber: 50, betType: "over" },
    { betAmount: "5.00", targetNumber: 50, betType: "over" },
  ]);
  expect(amount().value).toBe("5.00");
});

it("plays autobet without toasts, and sends a bet without an answer again with its key", async () => {
  fireEvent.click(screen.getByRole("radio", { name: "Auto" }));
  fireEvent.change(await screen.findByLabelText("Number of rounds"), { target: { value: "2" } });
  fireEvent.change(screen.getByLabelText("On win"), { target: { value: "increase" } });
  fireEvent.change(await screen.findByLabelText("Percent on win"), { target: { value: "50" } });
  vi.mocked(playDice).mockImplementationOnce((bet, key) => {
    rounds.push({ bet, key });
    return Promise.reject(new ConnectionError(new TypeError("lost")));
  });
  expect(main()).toHaveTextContent("Start autobet");
  await act(async () => void fireEvent.click(main()));
  expect(main()).toHaveTextContent("Stop autobet");
  await waitFor(() =>
    expect(screen.getByTestId("autobet-message")).toHaveTextContent("Stopped: All 2 rounds were played."),
  );
  expect(main()).toHaveTextContent("Start autobet");
  expect(rounds.map(({ bet }) => bet.betAmount)).toEqual(["10.00", "10.00", "15.00"]);
  const [first, again, next] = rounds.map(({ key }) => key);
  expect(again).toBe(first);
  expect(next).not.toBe(first);
  expect(vi.mocked(toast)).not.toHaveBeenCalled();
  expect(screen.getByTestId("autobet-progress")).toHaveTextContent("2 of 2");
});

it("shows why autobet cannot start", async () => {
  fireEvent.click(screen.getByRole("radio", { name: "Auto" }));
  fireEvent.change(await screen.findByLabelText("Stop at loss"), { target: { value: "all" } });
  await act(async () => void fireEvent.click(main()));
  expect(screen.getByLabelText("Stop at loss")).toHaveAccessibleDescription(/Enter dollars above 0/);
  expect(main()).toHaveTextContent("Start autobet");
  expect(rounds).toEqual([]);
});
