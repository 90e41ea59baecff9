import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { fetched } from "@/test-support/network";
import { SWRConfig } from "swr";
import CrashPoints from "./crash-points";

const show = () =>
  render(
    <SWRConfig value={{ provider: () => new Map(), shouldRetryOnError: false }}>
      <CrashPoints />
    </SWRConfig>,
  );
const answer = (crashPoints: string[], reached: number[]) => {
  const multipliers = ["1.50", "2.00", "3.00", "5.00", "10.00", "100.00"];
  const points = crashPoints.map((crashPoint, index) => ({
    id: 9 - index,
    crashPoint,
    endedAt: "2026-11-22T10:00:00Z",
  }));
  const shares = multipliers.map((multiplier, index) => ({ multiplier, reached: reached[index] ?? 0 }));
  const statistics = { rounds: points.length, averageOfLast: null, shares };
  fetched.mockImplementation(async () => Response.json({ points, statistics }));
};

afterEach(cleanup);

it("lists the latest points, and how often multipliers were reached next to the exact chances", async () => {
  answer(["12.40", "1.00", "2.00", "1.73"], [3, 2, 1, 1, 1, 0]);
  show();
  const list = await screen.findByRole("list", { name: "Latest crash points, newest first" });
  expect(
    within(list)
      .getAllByRole("listitem")
      .map(({ textContent }) => textContent),
  ).toEqual(["12.40×", "1.00×", "2.00×", "1.73×"]);
  const [, ...rows] = within(screen.getByRole("table")).getAllByRole("row");
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    "1.50×375.0%66%",
    "2.00×250.0%49.5%",
    "3.00×125.0%33%",
    "5.00×125.0%19.8%",
    "10.00×125.0%9.9%",
    "100.00×00.0%0.99%",
  ]);
});

it("says if there are none yet, and offers to try again after an error", async () => {
  answer([], []);
  show();
  expect(await screen.findByText("No crash points yet")).toBeVisible();
  cleanup();
  fetched.mockImplementation(async () => new Response("", { status: 500 }));
  show();
  expect(await screen.findByRole("button", { name: "Try Again" })).toBeVisible();
});
