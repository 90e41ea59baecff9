import { expect, it } from "vitest";
import { resultOf } from "./use-recent-results";

it("reads an outcome", () => {
  const outcomes = ["win (2.00x)", "win (100.00x)", "loss", "loss (0.85x)", "win"];
  expect(outcomes.map((outcome, id) => resultOf({ id, outcome }))).toEqual([
    { id: 0, text: "2.00×", isWin: true },
    { id: 1, text: "100.00×", isWin: true },
    { id: 2, text: "Loss", isWin: false },
    { id: 3, text: "0.85×", isWin: false },
    { id: 4, text: "Win", isWin: true },
  ]);
});
