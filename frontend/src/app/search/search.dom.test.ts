import { expect, it, vi } from "vitest";
import type { GameDefinition } from "@/games/definition";
import { announcedIn } from "@/games/announced";
import { GAMES } from "@/games/registry";
import { searchEntries } from "./entries";
import { groupsOf } from "./search-dialog";

function entriesFor({ isAdmin = false, inPlay = [] as readonly GameDefinition[], paused = "" } = {}) {
  const calls = {
    goTo: vi.fn(),
    openDeposit: vi.fn(),
    openWithdraw: vi.fn(),
    openFairness: vi.fn(),
    logOut: vi.fn(),
  };
  const entries = searchEntries({
    games: GAMES,
    announced: announcedIn(new Map()).filter(({ id }) => id !== "mines"),
    inPlay: new Set(inPlay),
    isPaused: ({ id }) => id === paused,
    isAdmin,
    ...calls,
  });
  return { entries, ...calls };
}
const found = (query: string, options = {}) =>
  groupsOf(query, entriesFor(options).entries, []).flatMap(({ commands }) => commands.map(({ label }) => label));

it("finds games, pages and actions, also by other words", () => {
  expect(found("cra")[0]).toBe("Crash");
  expect(found("video poker")).toEqual(["Jacks or Better Poker"]);
  expect(found("seed")).toContain("Fairness");
  expect(found("public rec")).toEqual(["Transparency"]);
  expect(found("statistics")).toEqual(["Statistics"]);
  expect(found("password")).toEqual(["Settings"]);
  expect(found("sign out")).toEqual(["Log out"]);
  expect(found("blackjack")).toEqual(["Blackjack"]);
  expect(found("no such thing")).toEqual([]);
});

it("offers the admin panel to administrators only", () => {
  expect(found("admin")).toEqual([]);
  expect(found("admin", { isAdmin: true })).toEqual(["Admin Panel"]);
});

it("says which games are in play, paused or announced", () => {
  const inPlay = GAMES.filter(({ id }) => id === "crash");
  const { entries } = entriesFor({ inPlay, paused: "dice" });
  const hintOf = (label: string) => entries.find((entry) => entry.label === label)?.hint;
  expect(hintOf("Crash")).toBe("In play");
  expect(hintOf("Dice")).toBe("Paused");
  expect(hintOf("Baccarat")).toBe("Coming Soon");
  expect(hintOf("Stonks")).toBeUndefined();
});

it("runs what an entry names", () => {
  const { entries, ...calls } = entriesFor();
  const run = (label: string) => entries.find((entry) => entry.label === label)?.run();
  run("Wallet");
  expect(calls.goTo).toHaveBeenLastCalledWith("/dashboard?tab=account");
  run("Heads-up Poker");
  expect(calls.goTo).toHaveBeenLastCalledWith("/poker#heads-up");
  for (const [label, call] of [
    ["Deposit", calls.openDeposit],
    ["Withdraw", calls.openWithdraw],
    ["Fairness", calls.openFairness],
    ["Log out", calls.logOut],
  ] as const) {
    run(label);
    expect(call).toHaveBeenCalledTimes(1);
  }
});

it("offers recent results first, without repeating them", () => {
  const { entries } = entriesFor();
  const recent = ["Actions-Deposit", "game-crash", "gone"];
  const groups = groupsOf("", entries, recent);
  expect(groups[0]).toEqual({ name: "Recent", commands: [expect.anything(), expect.anything()] });
  expect(groups[0]?.commands.map(({ label }) => label)).toEqual(["Deposit", "Crash"]);
  const all = groups.flatMap(({ commands }) => commands);
  expect(new Set(all).size).toBe(entries.length);
  expect(all).toHaveLength(entries.length);
  expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
});
