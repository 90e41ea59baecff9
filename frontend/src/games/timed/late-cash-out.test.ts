import { expect, it } from "vitest";
import { ApiError, type ErrorBody } from "@/api/client";
import { lateCashOutOf, lateText } from "./late-cash-out";

const body: ErrorBody = {
  code: "round_over",
  message: "The round is already over",
  roundId: 5,
  lateByMs: 1640,
  crashPoint: 1.24,
  claimedMultiplier: 1.16,
};

it("says by the server's times how late a cash-out was", () => {
  const late = lateCashOutOf(new ApiError(409, "The round is already over", body));
  expect(late).toEqual({ roundId: 5, lateByMs: 1640, crashPoint: 1.24, claimedMultiplier: 1.16 });
  expect(late && lateText(late)).toBe("Your cash-out at 1.16× arrived 1,640 ms after the crash at 1.24×.");
  expect(lateText({ roundId: 5, lateByMs: 12, crashPoint: null, claimedMultiplier: null })).toBe(
    "Your sale arrived 12 ms after the market crashed.",
  );
});

it("is not claimed for a round that ended otherwise", () => {
  expect(lateCashOutOf(new ApiError(409, "The round is already over", { code: "round_over" }))).toBeNull();
  expect(lateCashOutOf(new Error("offline"))).toBeNull();
});
