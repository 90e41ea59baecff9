import { expect, it } from "vitest";
import type { PendingWork } from "../api/admin";
import { newsOf } from "./pending-work";

const work = (newestWithdrawalId: number | null, pendingWithdrawals = 0) =>
  ({ newestWithdrawalId, pendingWithdrawals }) as PendingWork;

it.each([
  ["nothing new", work(7), work(7), ""],
  ["the newest is gone", work(7), work(6), ""],
  ["the first one", work(null), work(1, 1), "Request 1. 1 request waits for a decision."],
  ["another one", work(7), work(9, 12), "Request 9. 12 requests wait for a decision."],
])("%s", (_, before, now, expected) => expect(newsOf(before, now)).toBe(expected));
