import { expect, it } from "vitest";
import { chanceText, type GameReturn, pValueText, returnScale, verdictOf, verdictText } from "./returns";

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
  [1, "p = 1"],
  [0.9996, "p > 0.99"],
  [0.954, "p = 0.95"],
  [0.0455, "p = 0.046"],
  [0.000_02, "p = 0.00002"],
  [0.000_001, "p = 0.000001"],
  [1e-12, "p < 0.000001"],
  [0, "p < 0.000001"],
])("writes the p-value %d", (pValue, expected) => expect(pValueText(pValue)).toBe(expected));

it("gives the p-value of two-sided and one-sided comparisons, and none below the best play's return", () => {
  const below = { ...game("98.00", "97.01", "98.99"), pValue: 0.0455 };
  expect(verdictText(below)).toBe("Below the exact RTP: chance alone strays as far 1 time in 22 (p = 0.046)");
  const above = { ...game("99.50", "99.01", "99.99"), pValue: 0.02, isOneSided: true };
  expect(verdictText(above)).toBe("Above the exact RTP: chance alone returns as much 1 time in 50 (p = 0.02)");
  expect(verdictText({ ...below, isOneSided: true })).toBe(
    "Below the RTP of the best play, as expected when players make mistakes",
  );
  expect(verdictText(game(null, null, null))).toBe("Too few rounds to measure");
});

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
