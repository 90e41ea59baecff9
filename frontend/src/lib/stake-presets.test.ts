import { expect, it } from "vitest";
import { DEFAULT_PRESETS, parsePresets, presetText } from "./stake-presets";

it("reads four amounts in ascending order", () => {
  expect(parsePresets(["1", "5", "25", "100"])).toEqual(DEFAULT_PRESETS);
  expect(parsePresets(["10", "0.01", "2.5", "2.50"])).toEqual([1, 250, 250, 1000]);
});

it.each([[["1", "5", "25"]], [["1", "5", "25", "0"]], [["1", "5", "x", "2"]], [["1", "2", "3", "4", "5"]], [[""]]])(
  "refuses %j",
  (texts) => {
    expect(parsePresets(texts)).toBeNull();
  },
);

it("shows whole dollars without cents", () => {
  expect([100, 250, 10_000].map(presetText)).toEqual(["1", "2.50", "100"]);
});
