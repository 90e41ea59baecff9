import { expect, it } from "vitest";
import { chanceText, type GameReturn, returnScale, verdictOf } from "./returns";

const game = (
  measuredRtpPercent: string | null,
  lowPercent: string | null,
  highPercent: string | null,
): GameReturn => ({
  game: "dice",
  label: "Dice",
  scope: "at every target",
  rounds: 10,
  exactRtpPercent: "99.00",
  measuredRtpPercent,
  lowPercent,
  highPercent,
  pValue: null,
  isOneSided: false,
});

it.each([
  [0.954, "95 times in 100"],
  [0.2, "20 times in 100"],
  [0.0455, "1 time in 22"],
  [0.000_02, "1 time in 50,000"],
  [1e-12, "less than 1 time in 1,000,000"],
])("words the probability %d", (probability, expected) => expect(chanceText(probability)).toBe(expected));

it.each([
  [game(null, null, null), "none"],
  [game("98.70", "98.00", "99.40"), "within"],
  [game("99.00", "99.00", "99.00"), "within"],
  [game("99.50", "99.01", "99.99"), "above"],
  [game("98.00", "97.01", "98.99"), "below"],
])("classifies a measured return (%#)", (measured, expected) => expect(verdictOf(measured)).toBe(expected));

it("shows every interval, but is not flattened by a few outliers", () => {
  expect(returnScale([game("98.70", "91.20", "104.40")])).toMatchObject({ minimum: 90, maximum: 106 });
  expect(returnScale([game("98.70", "-250.00", "470.00")])).toMatchObject({ minimum: 70, maximum: 130 });
  expect(returnScale([])).toMatchObject({ minimum: 95, maximum: 101 });
});
