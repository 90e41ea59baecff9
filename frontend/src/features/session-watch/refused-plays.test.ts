import { expect, it } from "vitest";
import { refusedPlayOf } from "./refused-plays";
import { resultText } from "./session-status";

const body = { code: "stake_limit_reached", message: "Too much.", until: "2026-11-26T00:00:00Z" } as const;

it("takes a refusal by the player's own limit or exclusion, with its time", () => {
  expect(refusedPlayOf("/api/dice/play", body)).toEqual({
    title: "Stake limit reached",
    message: "Too much.",
    until: "2026-11-26T00:00:00Z",
    isExcluded: false,
  });
  expect(refusedPlayOf("/api/crash/start", { ...body, code: "excluded" })?.isExcluded).toBe(true);
});

it("leaves other refusals, and those of deposits, to their forms", () => {
  expect(refusedPlayOf("/api/dice/play", { code: "insufficient_balance", message: "Too much." })).toBeNull();
  expect(refusedPlayOf("/api/deposits/create", { ...body, code: "excluded" })).toBeNull();
  expect(refusedPlayOf("/api/limits/stake/day/confirm", { ...body, code: "not_yet_confirmable" })).toBeNull();
});

it("shortens only results that have no room", () => {
  expect(resultText(0)).toBe("$0.00");
  expect(resultText(-999_999)).toBe("−$9,999.99");
  expect(resultText(1_234_500)).toBe("+$12.3K");
});
