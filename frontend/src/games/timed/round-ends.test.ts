import { expect, it } from "vitest";
import { round } from "@/test-support/rounds";
import { RoundEnds } from "./round-ends";

it("resolves with the end of the awaited round only", async () => {
  const ends = new RoundEnds();
  ends.expect();
  const end = ends.of(2);
  ends.note(round(1, "crashed"));
  ends.note(round(2, "cashed_out"));
  expect(await end).toMatchObject({ roundId: 2, result: "cashed_out" });
});

it("knows an end that was announced before the start was answered", async () => {
  const ends = new RoundEnds();
  ends.expect();
  ends.note(round(2, "crashed"));
  expect(await ends.of(2)).toMatchObject({ roundId: 2 });
});

it("gives up when a newer round takes its place", async () => {
  const ends = new RoundEnds();
  ends.expect();
  const end = ends.of(2);
  ends.noteKnown(2);
  ends.noteKnown(3);
  expect(await end).toBeNull();
  ends.note(round(4, "crashed"));
  expect(await ends.of(3)).toBeNull();
});

it("claims only the rounds that autobet plays", () => {
  const ends = new RoundEnds();
  expect(ends.note(round(1, "crashed"))).toBe(false);
  ends.expect();
  expect(ends.note(round(2, "crashed"))).toBe(true);
  ends.forget();
  expect(ends.note(round(3, "crashed"))).toBe(false);
});
