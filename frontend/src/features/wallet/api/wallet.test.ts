import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ApiError, api, type ErrorCode } from "@/api/client";
import { openDeposit, withdrawal } from "@/test-support/wallet";
import { createDeposit, createWithdrawal, isOpen } from "./wallet";

const post = vi.spyOn(api, "POST");
type Answer = () => Promise<unknown>;
type Call = [path: string, options: { params: { header: { "Idempotency-Key": string } } }];
const keys = () => (post.mock.calls as unknown as Call[]).map(([, { params }]) => params.header["Idempotency-Key"]);
const distinct = () => new Set(keys()).size;
const refuses = (status: number, code: ErrorCode) => () =>
  Promise.reject(new ApiError(status, code, { message: code, code }));
const lost: Answer = () => Promise.reject(new TypeError("Failed to fetch"));
const made: Answer = () =>
  Promise.resolve({ data: { deposit: openDeposit(), invoiceUrl: "https://pay.example/4522" } });
const taken: Answer = () => Promise.resolve({ data: withdrawal() });
const answerWith = (...answers: Answer[]) => {
  for (const answer of answers) post.mockImplementationOnce(answer as never);
};

/** Each test uses a different amount, because a pending idempotency key outlives the test. */
let amount = 100;
const body = () => ({ amount: `${amount}.00`, cryptoCurrency: "usdtsol" as const });
const run = async (call: () => Promise<unknown>) => {
  const settled = call().catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(30_000);
  return settled;
};

beforeEach(() => {
  vi.useFakeTimers();
  post.mockReset();
  amount += 1;
});
afterEach(() => {
  vi.useRealTimers();
});

it("requests one invoice if the response is lost or the first request is still running", async () => {
  answerWith(lost, refuses(409, "deposit_in_progress"), refuses(409, "deposit_in_progress"), made);
  expect(await run(() => createDeposit(body()))).toMatchObject({ invoiceUrl: "https://pay.example/4522" });
  expect(keys()).toHaveLength(4);
  expect(distinct()).toBe(1);
});

it("keeps the key for a retry of the same input, even after the dialog was closed", async () => {
  answerWith(...Array.from({ length: 6 }, () => lost), made);
  expect(await run(() => createDeposit(body()))).toBeInstanceOf(TypeError);
  await run(() => createDeposit(body()));
  expect(keys()).toHaveLength(7);
  expect(distinct()).toBe(1);
});

it("uses a new key for different input after a lost response", async () => {
  answerWith(...Array.from({ length: 6 }, () => lost), made);
  await run(() => createDeposit(body()));
  await run(() => createDeposit({ ...body(), cryptoCurrency: "btc" }));
  expect(distinct()).toBe(2);
});

it.each<[number, ErrorCode]>([
  [400, "invalid_amount"],
  [422, "deposit_refused"],
  [503, "payments_unavailable"],
  [503, "payments_unclear"],
])("treats %i %s as an answer: it is not retried, and the next attempt is a new request", async (status, code) => {
  answerWith(refuses(status, code), made);
  expect(await run(() => createDeposit(body()))).toMatchObject({ status });
  expect(keys()).toHaveLength(1);
  await run(() => createDeposit(body()));
  expect(distinct()).toBe(2);
});

it("asks for the same invoice again after a request that came too soon", async () => {
  answerWith(refuses(429, "rate_limited"), made);
  expect(await run(() => createDeposit(body()))).toMatchObject({ status: 429 });
  expect(keys()).toHaveLength(1);
  await run(() => createDeposit(body()));
  expect(distinct()).toBe(1);
});

it("makes a new invoice after a completed one", async () => {
  answerWith(made, made);
  await run(() => createDeposit(body()));
  await run(() => createDeposit(body()));
  expect(distinct()).toBe(2);
});

it("requests one withdrawal if the response is lost, and another after a refusal", async () => {
  answerWith(lost, refuses(503, "overloaded"), taken, refuses(422, "withdrawal_limit"), taken);
  const request = { amount: `${amount}.00`, currency: "btc" as const, walletAddress: "somewhere" };
  await run(() => createWithdrawal(request));
  expect(distinct()).toBe(1);
  await run(() => createWithdrawal(request));
  await run(() => createWithdrawal(request));
  expect(keys()).toHaveLength(5);
  expect(distinct()).toBe(3);
});

it("finds the deposits that can still be paid", () => {
  expect(isOpen(openDeposit())).toBe(true);
  expect(isOpen({ ...openDeposit(), status: "completed" })).toBe(false);
  expect(isOpen({ ...openDeposit(), invoiceUrl: null })).toBe(false);
});
