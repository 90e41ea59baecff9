import { cleanup, renderHook, waitFor } from "@testing-library/react";
import { type ReactNode, useMemo } from "react";
import { SWRConfig } from "swr";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { GAMES } from "@/games/registry";
import type { GameHistoryEntry } from "@/games/rounds/api";
import { recordOf } from "@/games/rounds/game-rounds";
import { fetchHistoryPage } from "@/games/rounds/history-pages";
import { useLastRounds } from "./last-rounds";

vi.mock("@/games/rounds/history-pages", () => ({ fetchHistoryPage: vi.fn() }));

const round = (id: number, gameType: GameHistoryEntry["gameType"], winAmount = "0.00"): GameHistoryEntry =>
  recordOf({ id, gameType, betAmount: "10.00", winAmount, outcome: "loss" });

function Fresh({ children }: { children: ReactNode }) {
  const config = useMemo(() => ({ provider: () => new Map() }), []);
  return <SWRConfig value={config}>{children}</SWRConfig>;
}

function show() {
  return renderHook(({ endedRoundId }) => useLastRounds(GAMES, endedRoundId).lastRounds, {
    wrapper: Fresh,
    initialProps: { endedRoundId: null as number | null },
  });
}

beforeEach(() => void vi.mocked(fetchHistoryPage).mockReset());
afterEach(cleanup);

it("needs one page of a short history", async () => {
  vi.mocked(fetchHistoryPage).mockResolvedValue({ entries: [round(1, "dice")], next: null });
  const { result } = show();
  await waitFor(() => expect([...(result.current?.keys() ?? [])]).toEqual(["dice"]));
  expect(fetchHistoryPage).toHaveBeenCalledTimes(1);
});

it("looks further back for the games that are not on the first page", async () => {
  vi.mocked(fetchHistoryPage).mockImplementation(async ({ gameType }) => {
    if (gameType === undefined) return { entries: [round(90, "dice")], next: "older" };
    return { entries: gameType === "crash" ? [round(3, "crash", "25.00")] : [], next: null };
  });
  const { result } = show();
  await waitFor(() => expect(result.current?.get("crash")?.profit).toBe("15.00"));
  expect(result.current?.get("dice")?.id).toBe(90);
  expect(result.current?.has("stonks")).toBe(false);
  const types = vi.mocked(fetchHistoryPage).mock.calls.map(([{ gameType }]) => gameType);
  // Once for each name in the history, and not for the game that was found.
  expect(types).toEqual([undefined, "crash", "stonks", "poker", "mines"]);
});

it("loads again when a round has ended, and shows the result", async () => {
  vi.mocked(fetchHistoryPage).mockResolvedValueOnce({ entries: [], next: null });
  const { result, rerender } = show();
  await waitFor(() => expect(result.current?.size).toBe(0));
  vi.mocked(fetchHistoryPage).mockResolvedValueOnce({ entries: [round(8, "crash", "21.00")], next: null });
  rerender({ endedRoundId: 8 });
  await waitFor(() => expect(result.current?.get("crash")?.profit).toBe("11.00"));
});
