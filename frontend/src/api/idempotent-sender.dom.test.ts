import { beforeEach, expect, it, vi } from "vitest";
import { ApiError, ConnectionError } from "./client";
import { IdempotentSender } from "./idempotent-sender";

beforeEach(() => {
  vi.useFakeTimers();
});

const lost = () => Promise.reject(new TypeError("Failed to fetch"));
const refused = (status: number) => Promise.reject(new ApiError(status, "no", undefined));
const bet = { betAmount: "1.00" };

it("retries with the same key if the response is lost", async () => {
  const call = vi
    .fn<(body: object, key: string) => Promise<string>>()
    .mockImplementationOnce(lost)
    .mockImplementationOnce(() => refused(503))
    .mockResolvedValue("done");
  const sent = new IdempotentSender().send(bet, call);
  await vi.advanceTimersByTimeAsync(1500);
  expect(await sent).toEqual({ answer: "done", isRepeated: true });
  expect(new Set(call.mock.calls.map(([, key]) => key)).size).toBe(1);
  expect(call).toHaveBeenCalledTimes(3);
});

it("keeps the key for a manual retry until the request is answered or forgotten", async () => {
  const sender = new IdempotentSender();
  const keys: string[] = [];
  const failing = (_: object, key: string) => {
    keys.push(key);
    return lost();
  };
  const attempt = async () => {
    const failure = expect(sender.send(bet, failing)).rejects.toThrow("Failed to fetch");
    await vi.advanceTimersByTimeAsync(1500);
    await failure;
  };
  await attempt();
  await attempt();
  expect(new Set(keys).size).toBe(1);
  sender.forget();
  await attempt();
  expect(new Set(keys).size).toBe(2);
});

const unknown = () => Promise.reject(new ApiError(503, "It is not certain", { code: "outcome_unknown" }));

it("keeps the key while the outcome is unknown", async () => {
  const sender = new IdempotentSender();
  const call = vi.fn<(body: object, key: string) => Promise<string>>(unknown);
  const failure = expect(sender.send(bet, call)).rejects.toThrow("It is not certain");
  await vi.advanceTimersByTimeAsync(1500);
  await failure;
  call.mockResolvedValue("done");
  expect(await sender.send(bet, call)).toEqual({ answer: "done", isRepeated: true });
  expect(new Set(call.mock.calls.map(([, key]) => key)).size).toBe(1);
});

it("keeps the key of a request that comes too soon, and does not take that for the answer of an earlier one", async () => {
  const sender = new IdempotentSender();
  const call = vi
    .fn<(body: object, key: string) => Promise<string>>()
    .mockImplementationOnce(() => refused(429))
    .mockImplementationOnce(() => refused(503))
    .mockImplementation(() => refused(429));
  await expect(sender.send(bet, call)).rejects.toMatchObject({ status: 429 });
  const failure = expect(sender.send(bet, call)).rejects.toMatchObject({ status: 503 });
  await vi.advanceTimersByTimeAsync(1500);
  await failure;
  call.mockResolvedValue("done");
  expect((await sender.send(bet, call)).answer).toBe("done");
  expect(call).toHaveBeenCalledTimes(5);
  expect(new Set(call.mock.calls.map(([, key]) => key)).size).toBe(1);
});

it("treats a refusal as an answer", async () => {
  const sender = new IdempotentSender();
  const call = vi.fn<(body: object, key: string) => Promise<string>>(() => refused(422));
  await expect(sender.send(bet, call)).rejects.toThrow("no");
  await expect(sender.send(bet, call)).rejects.toThrow("no");
  expect(call).toHaveBeenCalledTimes(2);
  expect(new Set(call.mock.calls.map(([, key]) => key)).size).toBe(2);
});

it("waits longer only for a server that is busy", async () => {
  const waitsMs = [300, 1200, 3000, 5000];
  const unreachable = vi.fn(() => Promise.reject(new ConnectionError(undefined)));
  const failure = expect(new IdempotentSender({ waitsMs }).send(bet, unreachable)).rejects.toThrow(ConnectionError);
  await vi.advanceTimersByTimeAsync(1500);
  await failure;
  expect(unreachable).toHaveBeenCalledTimes(3);
  const busy = vi.fn(() => refused(503));
  const refusal = expect(new IdempotentSender({ waitsMs }).send(bet, busy)).rejects.toThrow("no");
  await vi.advanceTimersByTimeAsync(9500);
  await refusal;
  expect(busy).toHaveBeenCalledTimes(5);
});
