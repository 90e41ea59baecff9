import { act, cleanup, renderHook, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "@/api/client";
import { fetchSettledRound } from "@/games/rounds/api";
import { deferred } from "@/test-support/deferred";
import { pokerHand, settledRound, wonHand } from "@/test-support/hands";
import { dealPoker, drawPoker, fetchOpenHand, holdPoker, type PokerHand } from "./api";
import { MESSAGES } from "./state";
import { useVideoPoker } from "./use-video-poker";

vi.mock("./api", async (original) => ({
  ...(await original<object>()),
  dealPoker: vi.fn(),
  drawPoker: vi.fn(),
  holdPoker: vi.fn(),
  fetchOpenHand: vi.fn(),
}));
vi.mock("@/games/rounds/api", async (original) => ({ ...(await original<object>()), fetchSettledRound: vi.fn() }));
const [deal, draw, hold, open, settled] = [
  vi.mocked(dealPoker),
  vi.mocked(drawPoker),
  vi.mocked(holdPoker),
  vi.mocked(fetchOpenHand),
  vi.mocked(fetchSettledRound),
];

const BET = { betAmount: "5.00", isMaxBet: false };
const refusal = (status: number, message: string) => new ApiError(status, message, { message });
const pause = (milliseconds: number) => act(() => new Promise<void>((resolve) => setTimeout(resolve, milliseconds)));

async function setup(inPlay: PokerHand | null = null) {
  open.mockResolvedValue(inPlay);
  const handlers = {
    onBalance: vi.fn(),
    onBalanceUnknown: vi.fn(),
    onDealt: vi.fn(),
    onResult: vi.fn(),
    onRefused: vi.fn(),
  };
  const { result } = renderHook(() => useVideoPoker(handlers));
  await waitFor(() => expect(result.current.isReady).toBe(true));
  open.mockResolvedValue(null);
  return { handlers, game: () => result.current };
}
const returnToPage = () => act(async () => void window.dispatchEvent(new Event("focus")));

beforeEach(() => {
  vi.spyOn(console, "warn").mockReturnValue();
  deal.mockResolvedValue(pokerHand(1));
  hold.mockResolvedValue(pokerHand(1));
  draw.mockResolvedValue(wonHand(1));
});
afterEach(() => {
  cleanup();
  vi.resetAllMocks();
});

describe("a hand", () => {
  it("is dealt, held and drawn", async () => {
    const { game, handlers } = await setup();
    await act(() => game().deal(BET));
    expect(game().state.stage).toBe("DRAW");
    expect(handlers.onDealt).toHaveBeenCalledOnce();
    act(() => game().toggle(2));
    expect(game().state.held).toEqual([2]);
    expect(hold).not.toHaveBeenCalled();
    await waitFor(() => expect(hold).toHaveBeenCalledWith([2], 1));
    await waitFor(() => expect(game().state.message).toBe(MESSAGES.held));
    act(() => game().toggle(3));
    await act(() => game().draw());
    expect(draw.mock.calls[0]?.[0]).toEqual({ ...BET, heldIndexes: [2, 3], roundId: 1 });
    expect(game().state.stage).toBe("RESULT");
    expect(handlers.onResult).toHaveBeenCalledOnce();
    expect(handlers.onBalance).toHaveBeenLastCalledWith(wonHand(1));
    // The draw already sent the pending hold.
    await pause(30);
    expect(hold).toHaveBeenCalledOnce();
    act(() => game().newGame());
    expect(game().state).toMatchObject({ stage: "IDLE", hand: null, message: MESSAGES.initial });
  });

  it("is dealt once even on repeated clicks", async () => {
    const { game } = await setup();
    await act(() => Promise.all([game().deal(BET), game().deal(BET), game().deal(BET)]));
    await act(() => Promise.all([game().draw(), game().draw()]));
    expect(deal).toHaveBeenCalledOnce();
    expect(draw).toHaveBeenCalledOnce();
  });

  it("allows no hold and no draw while a hold is pending", async () => {
    const { game } = await setup(pokerHand(1));
    const answer = deferred<PokerHand>();
    hold.mockReturnValue(answer.promise);
    act(() => game().toggle(0));
    await waitFor(() => expect(game().state.isHolding).toBe(true));
    act(() => game().toggle(1));
    await act(() => game().draw());
    expect(game().state).toMatchObject({ stage: "DRAW", held: [0] });
    await act(async () => answer.resolve(pokerHand(1, { heldIndexes: [0] })));
    act(() => game().toggle(1));
    expect(game().state.held).toEqual([0, 1]);
  });

  it("does not change if a hold fails, and shows no error", async () => {
    const { game, handlers } = await setup(pokerHand(1));
    hold.mockRejectedValue(new TypeError("offline"));
    act(() => game().toggle(4));
    await waitFor(() => expect(game().state.message).toBe(MESSAGES.held));
    expect(game().state).toMatchObject({ stage: "DRAW", held: [4], isHolding: false });
    expect(handlers.onRefused).not.toHaveBeenCalled();
  });
});

describe("a failed request", () => {
  it("returns from the deal to idle", async () => {
    const { game, handlers } = await setup();
    deal.mockRejectedValue(refusal(422, "You don't have enough funds to place this bet"));
    await act(() => game().deal(BET));
    expect(game().state).toMatchObject({ stage: "IDLE", hand: null, message: MESSAGES.dealFailed });
    expect(handlers.onRefused).toHaveBeenCalledWith(
      "Error dealing cards",
      "You don't have enough funds to place this bet",
    );
  });

  it("returns from the draw to DRAW and keeps the holds", async () => {
    const { game, handlers } = await setup(pokerHand(1, { heldIndexes: [1] }));
    draw.mockRejectedValue(refusal(422, "no"));
    await act(() => game().draw());
    expect(game().state).toMatchObject({ stage: "DRAW", held: [1], message: MESSAGES.drawFailed });
    expect(handlers.onRefused).toHaveBeenCalledWith("Error drawing cards", "no");
  });

  it("is retried with the same key if its response was lost", async () => {
    const { game } = await setup();
    deal.mockRejectedValueOnce(new TypeError("connection reset"));
    await act(() => game().deal(BET));
    expect(deal).toHaveBeenCalledTimes(2);
    expect(deal.mock.calls[0]?.[1]).toBe(deal.mock.calls[1]?.[1]);
    expect(game().state.stage).toBe("DRAW");
  });
});

describe("the hand in play", () => {
  it("is resumed after a reload, including its holds", async () => {
    const { game, handlers } = await setup(pokerHand(7, { heldIndexes: [0, 4] }));
    expect(game().state).toMatchObject({ stage: "DRAW", held: [0, 4], hand: { roundId: 7 } });
    expect(handlers.onDealt).not.toHaveBeenCalled();
  });

  it("is loaded when the page becomes visible, and shown as it ended in another tab", async () => {
    const { game, handlers } = await setup();
    open.mockResolvedValue(pokerHand(3));
    await returnToPage();
    await waitFor(() => expect(game().state.stage).toBe("DRAW"));
    open.mockResolvedValue(null);
    const { hand, handRank } = wonHand(3);
    settled.mockResolvedValue(
      settledRound(3, {
        winAmount: "5.00",
        poker: { dealt: hand, heldIndexes: [2, 3], hand, handRank, isMaxBet: false, multiplier: 1 },
      }),
    );
    await returnToPage();
    await waitFor(() => expect(game().state.stage).toBe("RESULT"));
    expect(handlers.onResult).toHaveBeenCalledOnce();
    expect(handlers.onBalanceUnknown).toHaveBeenCalled();
  });

  it("is shown if it prevents a deal, and its end if a draw comes too late", async () => {
    const { game, handlers } = await setup();
    deal.mockRejectedValue(refusal(409, "A hand is open."));
    open.mockResolvedValue(pokerHand(4));
    await act(() => game().deal(BET));
    expect(handlers.onRefused).toHaveBeenCalledWith("Error dealing cards", "A hand is open.");
    expect(game().state).toMatchObject({ stage: "DRAW", hand: { roundId: 4 } });
    open.mockResolvedValue(null);
    draw.mockRejectedValue(refusal(409, "The hand is over."));
    const { hand } = wonHand(4);
    settled.mockResolvedValue(
      settledRound(4, {
        poker: { dealt: hand, heldIndexes: [], hand, handRank: "HIGH_CARD", isMaxBet: false, multiplier: 0 },
      }),
    );
    await act(() => game().draw());
    expect(game().state).toMatchObject({ stage: "RESULT", hand: { isWin: false } });
    expect(handlers.onRefused).toHaveBeenCalledOnce();
  });

  it("is not reverted by an outdated response", async () => {
    const { game } = await setup(pokerHand(1));
    const answer = deferred<PokerHand | null>();
    open.mockReturnValue(answer.promise);
    await returnToPage();
    await act(() => game().draw());
    await act(async () => answer.resolve(pokerHand(1, { heldIndexes: [1] })));
    expect(game().state.stage).toBe("RESULT");
  });
});
