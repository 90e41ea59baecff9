import { fetched } from "@/test-support/network";
import { afterEach, expect, it, vi } from "vitest";
import { ApiError, type ErrorBody, type ErrorCode, onSessionChange } from "@/api/client";
import { stepUp } from "@/api/step-up";
import { fetchUser, onAdminAccessLost, processWithdrawal, setBalance, setStatus } from "./admin";
import { exportAddress, queryOf } from "./admin-pages";

const answer = (status: number, body: unknown) => fetched.mockResolvedValueOnce(Response.json(body, { status }));
const refuse = (status: number, code: ErrorCode) => answer(status, { code, message: "no" } satisfies ErrorBody);
const listeners: (() => void)[] = [];
afterEach(() => {
  fetched.mockReset();
  for (const leave of listeners.splice(0)) leave();
});

it.each<[number, ErrorCode, number]>([
  [401, "invalid_credentials", 0],
  [401, "invalid_second_factor", 0],
  [401, "not_signed_in", 1],
  [429, "rate_limited", 0],
])("%i %s at step-up ends the session %i times", async (status, code, ends) => {
  const onEnd = vi.fn();
  listeners.push(onSessionChange(onEnd));
  refuse(status, code);
  await expect(stepUp({ password: "wrong" })).rejects.toBeInstanceOf(ApiError);
  expect(onEnd).toHaveBeenCalledTimes(ends);
});

it.each<[ErrorCode, number]>([
  ["forbidden", 1],
  ["administrator_not_bannable", 0],
  ["step_up_required", 0],
])("403 %s revokes access %i times", async (code, revocations) => {
  const onRefused = vi.fn();
  listeners.push(onAdminAccessLost(onRefused));
  refuse(403, code);
  await expect(setStatus(1, { status: "banned", banReason: "cheated" }, "a-key")).rejects.toBeInstanceOf(ApiError);
  expect(onRefused).toHaveBeenCalledTimes(revocations);
});

it("finds a user by ID, or reports that there is none", async () => {
  answer(200, { id: 7, username: "bob" });
  expect(await fetchUser(7)).toMatchObject({ username: "bob" });
  expect(new URL(fetched.mock.calls[0]?.[0].url ?? "").pathname).toBe("/api/admin/users/7");
  refuse(404, "not_found");
  expect(await fetchUser(7)).toBeNull();
  refuse(500, "fault");
  await expect(fetchUser(7)).rejects.toBeInstanceOf(ApiError);
});

it("sends an idempotency key with each decision about money", async () => {
  answer(200, { id: 3 });
  await processWithdrawal(3, { action: "approve" }, "a-key");
  expect(fetched.mock.calls[0]?.[0].headers.get("Idempotency-Key")).toBe("a-key");
});

it("sets a balance only if it is still the one that was shown", async () => {
  answer(200, { id: 7 });
  const decision = { balance: "5.00", expectedBalance: "70.00", reason: "a refund" };
  expect(await setBalance(7, decision, "a-key")).toEqual({ done: { id: 7 } });
  expect(await fetched.mock.calls[0]?.[0].json()).toEqual(decision);
});

it("tells a proposal from what was done", async () => {
  answer(202, { id: 9, kind: "adjust_balance" });
  const decision = { balance: "5.00", expectedBalance: "70.00", reason: "a refund", propose: true } as const;
  expect(await setBalance(7, decision, "a-key")).toEqual({ proposal: { id: 9, kind: "adjust_balance" } });
});

it("exports what the filter shows", () => {
  expect(queryOf({ search: "a b&c", status: "" })).toBe("search=a+b%26c");
  expect(queryOf({ b: "2", a: "1" })).toBe(queryOf({ a: "1", b: "2" }));
  expect(exportAddress("users", queryOf({ search: "a b&c" }))).toBe("/api/admin/export/users.csv?search=a+b%26c");
  expect(exportAddress("logs", "")).toBe("/api/admin/export/logs.csv");
});
