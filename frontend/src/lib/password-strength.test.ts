import { expect, it } from "vitest";
import { filledParts, strengthText } from "./password-strength";

const accepted = { refusal: null, suggestions: [] as string[] };

it("names the strength, and gives the first suggestion", () => {
  expect([0, 1, 2, 3, 4].map((score) => strengthText({ ...accepted, score }).name)).toEqual([
    "Very weak",
    "Weak",
    "Fair",
    "Good",
    "Strong",
  ]);
  expect(strengthText({ ...accepted, score: 2, suggestions: ["Add a word.", "Avoid dates."] })).toEqual({
    name: "Fair",
    advice: "Add a word.",
  });
  expect(strengthText({ ...accepted, score: 4 }).advice).toBe("");
});

it("gives a refusal before anything else", () =>
  expect(strengthText({ score: 1, refusal: { message: "Too common." }, suggestions: ["Add a word."] })).toEqual({
    name: "Not accepted",
    advice: "Too common.",
  }));

it("fills a part of the meter even for the worst password", () =>
  expect([0, 1, 2, 3, 4].map((score) => filledParts({ ...accepted, score }))).toEqual([1, 1, 2, 3, 4]));
