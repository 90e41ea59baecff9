import { act, cleanup, renderHook, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ApiError } from "@/api/client";
import { fetchOpenRounds, fetchSettledRound } from "@/games/rounds/api";
import { hitRound, minesRound, paidRound, safeRound, settledMines } from "@/test-support/mines";
import { openRounds } from "@/test-support/open-rounds";
import { cashOutMines, type MinesRound, revealCell, startMines } from "./api";
import { useMines } from "./use-mines";

vi.mock("./api", async (original) => ({
  ...(await original<object>()),
  startMines: vi.fn(),
  revealCell: vi.fn(),
  cashOutMines: vi.fn(),
}));
vi.mock("@/games/rounds/api", async (original) => ({
  ...(await original<object>()),
  fetchOpenRounds: vi.fn(),
  fetchSettledRound: vi.fn(),
}));
const [start, reveal, cashOut] = [vi.mocked(startMines), vi.mocked(revealCell), vi.mocked(cashOutMines)];
const settled = vi.mocked(fetchSettledRound);
const openIs = (mines: MinesRound | null) => vi.mocked(fetchOpenRounds).mockResolvedValue(openRounds({ mines }));

async function setup(inPlay: MinesRound | null = null) {
  openIs(inPlay);
  const handlers = {
    onBalance: vi.fn(),
    onBalanceUnknown: vi.fn(),
    onStarted: vi.fn(),
    onSafe: vi.fn(),
    onEnded: vi.fn(),
    onRefused: vi.fn(),
  };
  const { result } = renderHook(() => useMines(handlers));
  await waitFor(() => expect(result.current.isReady).toBe(true));
  return { handlers, game: () => result.current };
}
const BET = { betAmount: "10.00", mines: 3 };

beforeEach(() => {
  vi.spyOn(console, "warn").mockReturnValue();
  start.mockResolvedValue(minesRound(1));
  reveal.mockResolvedValue(safeRound(1));
  cashOut.mockResolvedValue(paidRound(1));
});
afterEach(() => {
  cleanup();
  vi.resetAllMocks();
});

it("starts, reveals and cashes out once each, even on repeated clicks", async () => {
  const { game, handlers } = await setup();
  await act(() => Promise.all([game().start(BET), game().start(BET)]));
  expect(start).toHaveBeenCalledOnce();
  expect(handlers.onStarted).toHaveBeenCalledOnce();
  // Nothing to cash out yet.
  await act(() => game().cashOut());
  expect(cashOut).not.toHaveBeenCalled();
  await act(() => Promise.all([game().reveal(7), game().reveal(7), game().reveal(8)]));
  expect(reveal.mock.calls.map(([body]) => body)).toEqual([{ roundId: 1, cell: 7 }]);
  expect(handlers.onSafe).toHaveBeenCalledExactlyOnceWith(safeRound(1), 7);
  await act(() => game().reveal(7));
  expect(reveal).toHaveBeenCalledOnce();
  await act(() => Promise.all([game().cashOut(), game().cashOut(), game().reveal(9)]));
  expect(cashOut).toHaveBeenCalledOnce();
  expect(reveal).toHaveBeenCalledOnce();
  expect(game().state).toMatchObject({ phase: "over", pending: null });
  expect(handlers.onEnded).toHaveBeenCalledExactlyOnceWith(paidRound(1));
  await act(() => game().reveal(9));
  expect(reveal).toHaveBeenCalledOnce();
});

it("ends at a mine, and shows it until the next round", async () => {
  const { game, handlers } = await setup();
  await act(() => game().start(BET));
  reveal.mockResolvedValueOnce(hitRound(1));
  await act(() => game().reveal(5));
  expect(game().state).toMatchObject({ phase: "over", round: { hitCell: 5 } });
  expect(handlers.onSafe).not.toHaveBeenCalled();
  expect(handlers.onEnded).toHaveBeenCalledOnce();
  start.mockResolvedValueOnce(minesRound(2));
  await act(() => game().start(BET));
  expect(game().state).toMatchObject({ phase: "playing", round: { roundId: 2 } });
});

it("continues after a reload", async () => {
  const { game, handlers } = await setup(safeRound(9));
  expect(game().state).toMatchObject({ phase: "playing", round: { roundId: 9, revealed: [7] } });
  expect(handlers.onStarted).toHaveBeenCalledOnce();
});

it("returns to the previous state if a request is refused", async () => {
  const { game, handlers } = await setup();
  start.mockRejectedValueOnce(new ApiError(422, "no", { message: "no" }));
  await act(() => game().start(BET));
  expect(game().state).toMatchObject({ phase: "idle", pending: null });
  expect(handlers.onRefused).toHaveBeenCalledWith("Error starting game", "no");
  await act(() => game().start(BET));
  reveal.mockRejectedValueOnce(new ApiError(422, "outside the grid", { message: "outside the grid" }));
  await act(() => game().reveal(7));
  expect(game().state).toMatchObject({ phase: "playing", pending: null });
  expect(handlers.onRefused).toHaveBeenLastCalledWith("Error", "outside the grid");
});

it("retries a lost request with the same key", async () => {
  const { game } = await setup(safeRound(1));
  cashOut.mockRejectedValueOnce(new TypeError("connection reset"));
  await act(() => game().cashOut());
  expect(cashOut).toHaveBeenCalledTimes(2);
  expect(cashOut.mock.calls[0]?.[1]).toBe(cashOut.mock.calls[1]?.[1]);
  expect(game().state.phase).toBe("over");
});

it("takes over the round that is already open", async () => {
  const { game, handlers } = await setup();
  openIs(safeRound(5));
  start.mockRejectedValueOnce(new ApiError(409, "open", { code: "round_open", message: "open" }));
  await act(() => game().start(BET));
  expect(game().state).toMatchObject({ phase: "playing", round: { roundId: 5, revealed: [7] } });
  expect(handlers.onRefused).not.toHaveBeenCalled();
});

it("shows what happened in another tab", async () => {
  const { game, handlers } = await setup(safeRound(2));
  openIs(null);
  settled.mockResolvedValue(
    settledMines(
      2,
      { mines: 3, revealed: [7], minePositions: [14, 1, 5], multiplier: 1.125, hitCell: null },
      { winAmount: "11.25" },
    ),
  );
  reveal.mockRejectedValueOnce(new ApiError(409, "over", { message: "over" }));
  await act(() => game().reveal(8));
  expect(game().state).toMatchObject({ phase: "over", round: { winAmount: "11.25", minePositions: [14, 1, 5] } });
  expect(handlers.onRefused).not.toHaveBeenCalled();
  expect(handlers.onBalanceUnknown).toHaveBeenCalled();
  openIs(minesRound(3));
  await act(async () => void window.dispatchEvent(new Event("focus")));
  await waitFor(() => expect(game().state).toMatchObject({ phase: "playing", round: { roundId: 3 } }));
});

it("never hides a revealed cell again", async () => {
  const { game } = await setup(minesRound(4, { revealed: [7, 8], payout: "12.85" }));
  openIs(safeRound(4));
  await act(async () => void window.dispatchEvent(new Event("focus")));
  await act(async () => undefined);
  expect(game().state.round?.revealed).toEqual([7, 8]);
});

it("reports a failed request if the round has not changed", async () => {
  const { game, handlers } = await setup(safeRound(6));
  reveal.mockRejectedValueOnce(new ApiError(409, "busy", { message: "busy" }));
  await act(() => game().reveal(8));
  expect(game().state).toMatchObject({ phase: "playing", pending: null, round: { revealed: [7] } });
  expect(handlers.onRefused).toHaveBeenCalledExactlyOnceWith("Error", "busy");
});
