import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { fetched } from "@/test-support/network";
import { SWRConfig } from "swr";
import { MemoryRouter } from "@/lib/address";
import { StatisticsView } from "./statistics-view";

vi.mock("@/api/session", () => ({
  useSession: () => ({ user: { username: "lena", showsName: false }, refresh: async () => undefined }),
}));

const bucket = (day: string, profit: string) => ({
  startedAt: `2026-11-${day}T00:00:00Z`,
  rounds: 1,
  staked: "1.00",
  paid: "0.00",
  profit,
});
const profit = {
  from: "2026-11-01T00:00:00Z",
  to: "2026-11-11T00:00:00Z",
  buckets: [bucket("01", "-1.00"), bucket("05", "4.00"), bucket("10", "-1.50")],
};
const dice = {
  gameType: "dice",
  gamesPlayed: 3,
  wins: 1,
  totalWagered: "3.00",
  totalWon: "4.50",
  profit: "1.50",
  averageMultiplier: null,
  bestMultiplier: null,
};
const totals = {
  totalGames: 3,
  wins: 1,
  losses: 2,
  totalWagered: "3.00",
  totalWon: "4.50",
  games: [dice],
  biggestWin: null,
};
const nothing = {
  totalGames: 0,
  wins: 0,
  losses: 0,
  totalWagered: "0.00",
  totalWon: "0.00",
  games: [],
  biggestWin: null,
};
const statement = {
  date: "2026-11-10",
  opening: "100.00",
  deposits: "0.00",
  withdrawals: "20.00",
  adjustments: "0.00",
  staked: "1.00",
  paid: "0.00",
  closing: "79.00",
  entries: 2,
};

let answers: Record<string, unknown>;
const asked: string[] = [];

beforeEach(() => {
  asked.length = 0;
  answers = { "/api/statistics": totals, "/api/statistics/profit": profit, "/api/statements": [statement] };
  fetched.mockImplementation(async (request) => {
    const { pathname, search } = new URL(request.url);
    asked.push(pathname + search);
    const answer = answers[pathname];
    return answer === undefined ? new Response("", { status: 500 }) : Response.json(answer);
  });
});
afterEach(cleanup);

const show = () =>
  render(
    <SWRConfig value={{ provider: () => new Map(), shouldRetryOnError: false }}>
      <MemoryRouter>
        <StatisticsView />
      </MemoryRouter>
    </SWRConfig>,
  );
const plot = () => screen.findByRole("slider", { name: "Profit over time" });

it("shows the figures of a point by arrow keys", async () => {
  show();
  const slider = await plot();
  expect(slider).toHaveAttribute("aria-valuetext", expect.stringContaining("+$1.50 in total"));
  fireEvent.keyDown(slider, { key: "ArrowLeft" });
  expect(slider).toHaveAttribute("aria-valuetext", "Nov 5, 2026: +$4.00 from 1 round, $1.00 staked; +$3.00 in total");
  expect(screen.getByTestId("profit-caption")).toHaveTextContent("+$3.00 in total");
  fireEvent.keyDown(slider, { key: "Home" });
  fireEvent.keyDown(slider, { key: "ArrowLeft" });
  expect(slider).toHaveAttribute("aria-valuenow", "0");
});

it("has the same figures as a table", async () => {
  show();
  await plot();
  fireEvent.click(screen.getByRole("button", { name: "Show the figures" }));
  const [, ...rows] = within(screen.getByRole("table", { name: "Profit over time" })).getAllByRole("row");
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    "Nov 10, 20261$1.00$0.00−$1.50+$1.50",
    "Nov 5, 20261$1.00$0.00+$4.00+$3.00",
    "Nov 1, 20261$1.00$0.00−$1.00−$1.00",
  ]);
});

it("shows the earlier figures as what they are until those of another time are there", async () => {
  show();
  await plot();
  fireEvent.click(screen.getByRole("button", { name: "Show the figures" }));
  fetched.mockImplementation(() => new Promise(() => undefined));
  fireEvent.click(screen.getByRole("radio", { name: "Day" }));
  expect(screen.getByRole("radio", { name: "Day" })).toBeChecked();
  const [, newest] = within(screen.getByRole("table", { name: "Profit over time" })).getAllByRole("row");
  expect(newest).toHaveTextContent("Nov 10, 2026");
});

it("asks for another time and another game", async () => {
  show();
  await plot();
  fireEvent.click(screen.getByRole("radio", { name: "Year" }));
  await vi.waitFor(() => expect(asked).toContain("/api/statistics/profit?range=year"));
  fireEvent.change(await screen.findByRole("combobox", { name: "Game" }), { target: { value: "dice" } });
  await vi.waitFor(() => expect(asked).toContain("/api/statistics/profit?range=year&gameType=dice"));
});

it("adds up the games, and lists the days", async () => {
  show();
  const table = await screen.findByRole("table", { name: "Totals by game" });
  expect(within(table).getAllByRole("row").at(-1)).toHaveTextContent("All games333.3%$3.00$4.50150.0%+$1.50");
  const days = await screen.findByRole("table", { name: "Daily statements, newest first" });
  expect(within(days).getAllByRole("row")[1]).toHaveTextContent("Withdrawals $20.00, staked $1.00");
});

it("says what it will show, instead of an empty plot", async () => {
  answers["/api/statistics"] = nothing;
  answers["/api/statements"] = [];
  show();
  expect(await screen.findByRole("heading", { name: "Nothing to add up yet" })).toBeVisible();
  expect(screen.getByRole("link", { name: "Play dice" })).toHaveAttribute("href", "/dice");
  expect(await screen.findByText("No statements yet")).toBeVisible();
});

it("offers to try again", async () => {
  delete answers["/api/statistics/profit"];
  show();
  expect(await screen.findByText("The profit over time could not be loaded")).toBeVisible();
  answers["/api/statistics/profit"] = profit;
  const alert = screen.getByRole("alert");
  fireEvent.click(within(alert).getByRole("button", { name: "Try Again" }));
  expect(await plot()).toBeVisible();
});

it("links to files of the chosen days, and to none while they are wrong", async () => {
  show();
  await plot();
  fireEvent.change(screen.getByLabelText("From"), { target: { value: "2026-11-01" } });
  fireEvent.change(screen.getByLabelText("To"), { target: { value: "2026-11-10" } });
  fireEvent.change(screen.getByRole("combobox", { name: "Rounds of" }), { target: { value: "dice" } });
  expect(screen.getByRole("link", { name: "Rounds (CSV)" })).toHaveAttribute(
    "href",
    "/api/exports/rounds.csv?gameType=dice&from=2026-11-01&to=2026-11-10",
  );
  fireEvent.change(screen.getByLabelText("From"), { target: { value: "2026-11-11" } });
  expect(screen.getByRole("button", { name: "Ledger (CSV)" })).toBeDisabled();
  expect(screen.getByRole("alert")).toHaveTextContent("The first day must not be after the last.");
});
