import { act, cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { fetched } from "@/test-support/network";
import { SWRConfig } from "swr";
import { liveEvents } from "@/api/live/event-stream";
import AllBets from "./all-bets";
import type { GameRounds } from "./game-rounds";
import type { PublicBet } from "./public-bets";

const session = vi.hoisted(() => ({ user: null as object | null, refresh: async () => undefined }));
vi.mock("@/api/session", () => ({ useSession: () => session }));

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
const bet = (id: number, player: string | null = null): PublicBet => ({
  id,
  gameType: "dice",
  player,
  betAmount: "10.00",
  multiplier: "1.98",
  winAmount: "19.80",
  profit: "9.80",
  outcome: "win",
  endedAt: new Date(1_795_000_000_000 + id * 1000).toISOString(),
  result: { diceResult: 60, targetNumber: 50, betType: "over" },
});

/** Sources are collected, so that a test can send events. */
class Source extends EventTarget {
  static all: Source[] = [];
  readyState = 0;
  constructor(readonly address: string) {
    super();
    Source.all.push(this);
  }
  close() {
    this.readyState = 2;
  }
}
const sends = (sent: PublicBet) =>
  Source.all.at(-1)?.dispatchEvent(new MessageEvent("bet", { data: JSON.stringify({ serverTimeMs: 1, bet: sent }) }));
const isOpen = () => Source.all.filter(({ readyState }) => readyState !== 2);
const ids = () =>
  within(screen.getByRole("table"))
    .getAllByText(/^#\d+$/)
    .map(({ textContent }) => textContent);
const pass = (ms: number) => act(async () => vi.advanceTimersByTimeAsync(ms));

const page = (bets: PublicBet[], next?: string) =>
  new Response(JSON.stringify(bets), {
    headers: { "Content-Type": "application/json", ...(next === undefined ? {} : { "Next-Cursor": next }) },
  });

function show() {
  return render(
    <SWRConfig value={{ provider: () => new Map(), revalidateOnFocus: false }}>
      <AllBets game={game} />
    </SWRConfig>,
  );
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("EventSource", Source);
  Source.all = [];
  fetched.mockImplementation(async (request) =>
    new URL(request.url).searchParams.has("cursor") ? page([bet(1)]) : page([bet(3, "lena"), bet(2)], "2-2"),
  );
});
afterEach(async () => {
  cleanup();
  // The one stream closes a moment after its last user.
  await vi.advanceTimersByTimeAsync(2000);
  expect(liveEvents.state()).toBe("connecting");
  vi.restoreAllMocks();
  vi.useRealTimers();
});

it("lists bets with names that are shown, and adds new ones on top", async () => {
  show();
  await pass(0);
  expect(isOpen().map(({ address }) => address)).toEqual(["/api/events?bets=dice"]);
  expect(ids()).toEqual(["#3", "#2"]);
  const [, first, second] = screen.getAllByRole("row");
  expect(first).toHaveTextContent("lena#360over 50$10.001.98×+$9.80");
  expect(second).toHaveTextContent("Hidden#2");
  sends(bet(4));
  await pass(1000);
  expect(ids()).toEqual(["#4", "#3", "#2"]);
});

it("shows at most twenty bets of the first page", async () => {
  show();
  await pass(0);
  for (let id = 4; id < 40; id += 1) sends(bet(id));
  await pass(1000);
  expect(ids()).toHaveLength(20);
  expect(ids()[0]).toBe("#39");
});

it("does not move while it is read", async () => {
  show();
  await pass(0);
  const list = screen.getByRole("table").parentElement;
  if (list === null) throw new Error("there is no list");
  fireEvent.pointerEnter(list, { pointerType: "mouse" });
  sends(bet(4));
  await pass(5000);
  expect(ids()).toEqual(["#3", "#2"]);
  fireEvent.pointerLeave(list);
  await pass(0);
  expect(ids()).toEqual(["#4", "#3", "#2"]);
});

it("stops while the page is hidden, and continues with what was missed", async () => {
  show();
  await pass(0);
  const visibility = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  act(() => void document.dispatchEvent(new Event("visibilitychange")));
  await pass(2000);
  expect(isOpen()).toEqual([]);
  visibility.mockReturnValue("visible");
  fetched.mockImplementation(async () => page([bet(9), bet(3)]));
  act(() => void document.dispatchEvent(new Event("visibilitychange")));
  await pass(0);
  act(() => void Source.all.at(-1)?.dispatchEvent(new Event("open")));
  await pass(0);
  expect(isOpen()).toHaveLength(1);
  expect(ids()).toEqual(["#9", "#3"]);
});

it("loads more", async () => {
  show();
  await pass(0);
  fireEvent.click(screen.getByRole("button", { name: "More" }));
  await pass(0);
  expect(ids()).toEqual(["#3", "#2", "#1"]);
  expect(screen.queryByRole("button", { name: "More" })).toBeNull();
});

it("no longer shows the name of a player who has hidden it, also next to new bets", async () => {
  session.user = { username: "lena", showsName: true };
  show();
  await pass(0);
  sends(bet(4, "lena"));
  await pass(1000);
  expect(within(screen.getByRole("table")).getAllByText("lena")).toHaveLength(2);
  fetched.mockImplementation(async (request) =>
    request.method === "PUT" ? Response.json({}) : page([bet(4), bet(3), bet(2)]),
  );
  fireEvent.click(screen.getByRole("switch"));
  await pass(0);
  session.user = null;
  expect(within(screen.getByRole("table")).queryByText("lena")).toBeNull();
});

it("keeps every bet between the new ones and the pages that were loaded", async () => {
  show();
  await pass(0);
  fireEvent.click(screen.getByRole("button", { name: "More" }));
  await pass(0);
  for (let id = 4; id <= 50; id += 1) sends(bet(id));
  await pass(1000);
  expect(ids()).toEqual(Array.from({ length: 50 }, (_, index) => `#${50 - index}`));
});

it("offers to try again after an error, and says if there is nothing", async () => {
  fetched.mockImplementation(async () => new Response("", { status: 500 }));
  show();
  await pass(0);
  expect(screen.getByRole("alert")).toHaveTextContent("The bets could not be loaded");
  fetched.mockImplementation(async () => page([]));
  fireEvent.click(screen.getByRole("button", { name: "Try Again" }));
  await pass(0);
  expect(screen.getByText("No bets yet")).toBeVisible();
});
