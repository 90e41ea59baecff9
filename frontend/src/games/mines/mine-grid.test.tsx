import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { hitRound, paidRound, safeRound } from "@/test-support/mines";
import { type CellView, MineGrid } from "./mine-grid";
import { viewsOf } from "./mines-stage";
import { CELLS } from "./multiplier";

afterEach(cleanup);

const hidden: CellView[] = Array.from({ length: CELLS }, () => "hidden");
const onReveal = vi.fn();

function setup(cells: readonly CellView[] = hidden, isOpen = true) {
  onReveal.mockReset();
  render(<MineGrid cells={cells} isOpen={isOpen} onReveal={onReveal} />);
}
const stops = () => screen.getAllByRole("button").filter((button) => button.tabIndex === 0);
const known = (of: readonly CellView[], view: CellView) => of.flatMap((each, index) => (each === view ? [index] : []));
const cell = (number: number) => screen.getByRole("button", { name: new RegExp(`^Cell ${number},`) });
const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key });

it("has five rows of five buttons, named by their content", () => {
  const cells = hidden.with(0, "safe").with(1, "mine").with(2, "hit").with(3, "left").with(4, "pending");
  setup(cells);
  expect(screen.getAllByRole("row")).toHaveLength(5);
  expect(screen.getAllByRole("gridcell")).toHaveLength(25);
  expect(
    screen
      .getAllByRole("button")
      .slice(0, 6)
      .map((button) => button.getAttribute("aria-label")),
  ).toEqual([
    "Cell 1, safe",
    "Cell 2, mine",
    "Cell 3, mine, hit",
    "Cell 4, safe, not revealed",
    "Cell 5, being revealed",
    "Cell 6, hidden",
  ]);
});

it("reveals a hidden cell, and nothing else", () => {
  setup(hidden.with(0, "safe").with(1, "pending"));
  for (const number of [1, 2, 3]) fireEvent.click(cell(number));
  expect(onReveal.mock.calls).toEqual([[2]]);
  expect(cell(1)).toHaveAttribute("aria-disabled", "true");
  expect(cell(3)).not.toHaveAttribute("aria-disabled");
});

it("reveals nothing while no round is in play", () => {
  setup(hidden, false);
  fireEvent.click(cell(8));
  expect(onReveal).not.toHaveBeenCalled();
  // The keyboard can still reach it.
  expect(cell(8)).toBeEnabled();
});

it("is a single tab stop in which the arrow keys move and stop at the edges", () => {
  setup();
  expect(stops()).toEqual([cell(13)]);
  cell(13).focus();
  const path: [string, number][] = [
    ["ArrowLeft", 12],
    ["ArrowUp", 7],
    ["ArrowUp", 2],
    ["ArrowUp", 2],
    ["End", 5],
    ["ArrowRight", 5],
    ["ArrowDown", 10],
    ["Home", 6],
    ["ArrowLeft", 6],
    ["x", 6],
  ];
  for (const [key, number] of path) {
    press(key);
    expect(cell(number)).toHaveFocus();
  }
  expect(stops()).toEqual([cell(6)]);
  act(() => cell(20).focus());
  expect(stops()).toEqual([cell(20)]);
});

it("reveals only one cell while a key is held", () => {
  setup();
  cell(13).focus();
  expect(fireEvent.keyDown(cell(13), { key: "Enter" })).toBe(true);
  expect(fireEvent.keyDown(cell(13), { key: "Enter", repeat: true })).toBe(false);
  expect(fireEvent.keyDown(cell(13), { key: " ", repeat: true })).toBe(false);
});

it("shows what is known of a round", () => {
  const playing = viewsOf({ phase: "playing", round: safeRound(1), pending: { cell: 9 } });
  expect([known(playing, "safe"), known(playing, "pending"), known(playing, "hidden").length]).toEqual([[7], [9], 23]);
  const paid = viewsOf({ phase: "over", round: paidRound(1), pending: null });
  expect([known(paid, "safe"), known(paid, "mine"), known(paid, "hit"), known(paid, "left").length]).toEqual([
    [7],
    [1, 5, 14],
    [],
    21,
  ]);
  const hit = viewsOf({ phase: "over", round: hitRound(1), pending: null });
  expect([known(hit, "safe"), known(hit, "mine"), known(hit, "hit")]).toEqual([[7], [1, 14], [5]]);
});
