import { act, cleanup, renderHook, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ApiError } from "@/api/client";
import { fetchSettledRound } from "@/games/rounds/api";
import { completeHand, headsUpHand, settledRound } from "@/test-support/hands";
import { dealHeadsUp, fetchOpenHand, type HeadsUpHand, playHeadsUp } from "./api";
import { useHeadsUp } from "./use-heads-up";

vi.mock("./api", async (original) => ({
  ...(await original<object>()),
  dealHeadsUp: vi.fn(),
  playHeadsUp: vi.fn(),
  fetchOpenHand: vi.fn(),
}));
vi.mock("@/games/rounds/api", async (original) => ({ ...(await original<object>()), fetchSettledRound: vi.fn() }));
const [deal, play, open, settled] = [
  vi.mocked(dealHeadsUp),
  vi.mocked(playHeadsUp),
  vi.mocked(fetchOpenHand),
  vi.mocked(fetchSettledRound),
];

async function setup(inPlay: HeadsUpHand | null = null) {
  open.mockResolvedValue(inPlay);
  const handlers = {
    onBalance: vi.fn(),
    onBalanceUnknown: vi.fn(),
    onDealt: vi.fn(),
    onEnded: vi.fn(),
    onRefused: vi.fn(),
  };
  const { result } = renderHook(() => useHeadsUp(handlers));
  await waitFor(() => expect(result.current.isReady).toBe(true));
  open.mockResolvedValue(null);
  return { handlers, game: () => result.current };
}
const endedElsewhere = (id: number) => {
  const { playerCards, houseCards, board } = completeHand(id);
  const headsUp = {
    playerCards,
    houseCards: houseCards ?? [],
    board,
    action: "call",
    outcome: "win",
    houseQualifies: true,
    openingBetAmount: "25.00",
    stakedAmount: "50.00",
  } as const;
  settled.mockResolvedValue(settledRound(id, { winAmount: "100.00", headsUp }));
};

beforeEach(() => {
  vi.spyOn(console, "warn").mockReturnValue();
  deal.mockResolvedValue(headsUpHand(1));
  play.mockResolvedValue(completeHand(1));
});
afterEach(() => {
  cleanup();
  vi.resetAllMocks();
});

it("is dealt and played once even on repeated clicks", async () => {
  const { game, handlers } = await setup();
  await act(() => Promise.all([game().deal("25.00"), game().deal("25.00")]));
  expect(game().state).toMatchObject({ phase: "betting", pending: null });
  await act(() => Promise.all([game().play("call"), game().play("raise")]));
  expect(play).toHaveBeenCalledOnce();
  expect(play.mock.calls[0]?.[0]).toEqual({ betAmount: "25.00", action: "call", roundId: 1 });
  expect(game().state.phase).toBe("complete");
  expect(handlers.onEnded).toHaveBeenCalledOnce();
  expect(handlers.onBalance).toHaveBeenCalledTimes(2);
  act(() => void game().newGame());
  expect(game().state).toMatchObject({ phase: "idle", hand: null });
});

it("continues after a reload", async () => {
  const { game } = await setup(headsUpHand(9));
  expect(game().state).toMatchObject({ phase: "betting", hand: { roundId: 9 } });
});

it("returns to the previous stage if a request is refused", async () => {
  const { game, handlers } = await setup();
  deal.mockRejectedValueOnce(new ApiError(422, "no", { message: "no" }));
  await act(() => game().deal("25.00"));
  expect(game().state).toMatchObject({ phase: "idle", pending: null });
  expect(handlers.onRefused).toHaveBeenCalledWith("no");
  await act(() => game().deal("25.00"));
  play.mockRejectedValueOnce(new ApiError(422, "not enough", { message: "not enough" }));
  await act(() => game().play("raise"));
  expect(game().state).toMatchObject({ phase: "betting", pending: null });
  expect(handlers.onRefused).toHaveBeenLastCalledWith("not enough");
});

it("retries a lost request with the same key", async () => {
  const { game } = await setup(headsUpHand(1));
  play.mockRejectedValueOnce(new TypeError("connection reset"));
  await act(() => game().play("fold"));
  expect(play).toHaveBeenCalledTimes(2);
  expect(play.mock.calls[0]?.[1]).toBe(play.mock.calls[1]?.[1]);
  expect(game().state.phase).toBe("complete");
});

it("shows what happened in another tab", async () => {
  const { game, handlers } = await setup(headsUpHand(2));
  endedElsewhere(2);
  play.mockRejectedValueOnce(new ApiError(409, "over", { message: "over" }));
  await act(() => game().play("call"));
  expect(game().state).toMatchObject({ phase: "complete", hand: { winAmount: "100.00" } });
  expect(handlers.onRefused).not.toHaveBeenCalled();
  expect(handlers.onBalanceUnknown).toHaveBeenCalled();
  open.mockResolvedValue(headsUpHand(3));
  await act(async () => void window.dispatchEvent(new Event("focus")));
  await waitFor(() => expect(game().state).toMatchObject({ phase: "betting", hand: { roundId: 3 } }));
});
