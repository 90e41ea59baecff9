import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { cardsOf } from "@/test-support/cards";
import { pokerHand, wonHand } from "@/test-support/hands";
import { HandRow } from "./hand-row";
import { type GameAction, INITIAL, nextState } from "./state";

afterEach(cleanup);
const after = (...actions: GameAction[]) => actions.reduce(nextState, INITIAL);
const DRAW: GameAction[] = [{ type: "deal" }, { type: "dealt", hand: pokerHand(1) }, { type: "toggle", index: 2 }];
const noop = () => {};

it("names the cards in every stage", () => {
  const { rerender } = render(<HandRow state={INITIAL} onToggle={noop} />);
  expect(screen.getAllByRole("img", { name: "Empty card slot" })).toHaveLength(5);
  rerender(<HandRow state={after({ type: "deal" })} onToggle={noop} />);
  expect(screen.getAllByRole("img", { name: "Face-down card" })).toHaveLength(5);
  rerender(<HandRow state={after(...DRAW, { type: "draw" })} onToggle={noop} />);
  expect(screen.getAllByRole("img", { name: "Face-down card" })).toHaveLength(4);
  expect(screen.getByRole("img", { name: "Jack of diamonds, held" })).toBeVisible();
  expect(screen.getAllByText("DRAWING...")).toHaveLength(4);
  expect(screen.getAllByText("HOLDING...")).toHaveLength(1);
});

it("lets cards be selected in DRAW", () => {
  const onToggle = vi.fn();
  render(<HandRow state={after(...DRAW)} onToggle={onToggle} />);
  expect(screen.getByRole("checkbox", { name: "Jack of diamonds, held" })).toBeChecked();
  fireEvent.click(screen.getByRole("checkbox", { name: "9 of spades" }));
  expect(onToggle).toHaveBeenCalledWith(4);
  expect(screen.getAllByText("HELD")).toHaveLength(1);
});

it("flips only new cards", () => {
  const { container, rerender } = render(<HandRow state={after(...DRAW)} onToggle={noop} />);
  const flippedCards = () => [...container.querySelectorAll(".card-turner")];
  const before = flippedCards();
  rerender(<HandRow state={after(...DRAW, { type: "draw" })} onToggle={noop} />);
  expect(flippedCards()[2]).toBe(before[2]);
  expect(flippedCards()[1]).not.toBe(before[1]);
  const drawn = { ...wonHand(1), heldIndexes: [2], hand: cardsOf("4C 5C JD 6C 7C") };
  rerender(<HandRow state={after(...DRAW, { type: "draw" }, { type: "drawn", hand: drawn })} onToggle={noop} />);
  expect(flippedCards()[2]).toBe(before[2]);
  expect(screen.getByRole("img", { name: "4 of clubs" })).toBeVisible();
});
