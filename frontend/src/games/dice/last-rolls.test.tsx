import { cleanup, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { SWRConfig } from "swr";
import { expect, it } from "vitest";
import { fetched } from "@/test-support/network";
import { type PastRoll, rollMarks, useLastRolls } from "./use-last-rolls";

const past = (id: number, roll: number): PastRoll => ({ id, roll, isWin: roll > 50 });

it("lets rolls of one number stand on each other, the oldest at the bottom", () => {
  const marks = rollMarks([past(4, 70), past(3, 20), past(2, 70), past(1, 70)], 6);
  expect(marks.map(({ id, row }) => [id, row])).toEqual([
    [1, 0],
    [2, 1],
    [3, 0],
    [4, 2],
  ]);
});

it("makes the newest mark the strongest", () => {
  const marks = rollMarks([past(3, 10), past(2, 20), past(1, 30)], 6);
  expect(marks.map(({ id, opacity }) => [id, opacity])).toEqual([
    [1, 0.25],
    [2, 0.625],
    [3, 1],
  ]);
  expect(rollMarks([past(1, 10)], 6)[0]?.opacity).toBe(1);
});

it("keeps the newest of one number where there is no room for all", () => {
  const marks = rollMarks([past(4, 70), past(3, 70), past(2, 70), past(1, 70)], 2);
  expect(marks.map(({ id, row }) => [id, row])).toEqual([
    [3, 0],
    [4, 1],
  ]);
});

it("has the rolls of an earlier visit after coming back", async () => {
  const known = new Map();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <SWRConfig value={{ provider: () => known, dedupingInterval: 0 }}>{children}</SWRConfig>
  );
  const visit = async (rolls: number[]) => {
    const history = rolls.map((diceResult, index) => ({ id: index + 1, diceResult, outcome: "win" }));
    fetched.mockImplementation(async () => Response.json(history));
    const { result } = renderHook(() => useLastRolls({ phase: "idle" }), { wrapper });
    await waitFor(() => expect(result.current.map(({ roll }) => roll)).toEqual(rolls.toReversed()));
    cleanup();
  };
  await visit([10, 20]);
  await visit([10, 20, 30]);
});
