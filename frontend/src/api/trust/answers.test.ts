import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { fetched } from "@/test-support/network";
import { api } from "../client";
import { type Answer, forgetAnswers, listenToAnswers, noteEvent } from "./answers";

const json = (body: unknown) => new Response(JSON.stringify(body), { headers: { "Content-Type": "application/json" } });
const RECEIPT = { text: "", index: 0, path: [], note: "" };

beforeEach(() => void forgetAnswers());
afterEach(() => void vi.useRealTimers());

async function received(ask: () => Promise<unknown>): Promise<Answer[]> {
  const answers: Answer[] = [];
  listenToAnswers((answer) => answers.push(answer));
  await ask();
  // What the client's caller has is read a second time only afterwards.
  expect(answers).toEqual([]);
  await vi.waitUntil(() => answers.length > 0, { timeout: 30_000 });
  return answers;
}

it("passes answers with a receipt on, besides returning them", async () => {
  fetched.mockResolvedValue(json({ id: 7, receipt: RECEIPT }));
  let data: unknown;
  const answers = await received(async () => ({ data } = await api.GET("/api/user")));
  expect(data).toEqual({ id: 7, receipt: RECEIPT });
  expect(answers).toMatchObject([{ path: "/api/user", body: { id: 7, receipt: RECEIPT }, call: { status: 200 } }]);
});

it("passes answers about seeds on, and events with a receipt", async () => {
  fetched.mockResolvedValue(json({ nonce: 0 }));
  expect(await received(() => api.GET("/api/fairness"))).toMatchObject([
    { path: "/api/fairness", body: { nonce: 0 }, call: { status: 200, next: null } },
  ]);
  const answers: Answer[] = [];
  listenToAnswers((answer) => answers.push(answer));
  noteEvent("price", { price: 1 });
  noteEvent("crash", { receipt: RECEIPT });
  expect(answers).toEqual([{ path: "/api/events#crash", body: { receipt: RECEIPT } }]);
});

it("keeps answers until somebody listens, and forgets them with the player", async () => {
  noteEvent("crash", { receipt: RECEIPT });
  const answers: Answer[] = [];
  listenToAnswers((answer) => answers.push(answer));
  expect(answers).toHaveLength(1);
  forgetAnswers();
  noteEvent("crash", { receipt: RECEIPT });
  forgetAnswers();
  listenToAnswers((answer) => answers.push(answer));
  expect(answers).toHaveLength(1);
});

it("takes no answer for another player's, and ignores refusals and other answers", async () => {
  const answers: Answer[] = [];
  let respond: ((response: Response) => void) | undefined;
  // Only once it is asked for, which is when the wait below ends.
  fetched.mockImplementationOnce(() => new Promise((resolve) => (respond = resolve)));
  const before = api.GET("/api/user");
  await vi.waitUntil(() => respond !== undefined, { timeout: 30_000 });
  forgetAnswers();
  listenToAnswers((answer) => answers.push(answer));
  respond?.(json({ receipt: RECEIPT }));
  await before;
  fetched.mockResolvedValueOnce(new Response(JSON.stringify({ receipt: RECEIPT }), { status: 409 }));
  await expect(api.GET("/api/user")).rejects.toThrow(/./);
  fetched.mockResolvedValueOnce(json([{ id: 1 }]));
  await api.GET("/api/statistics");
  fetched.mockResolvedValueOnce(json({ receipt: RECEIPT }));
  await api.GET("/api/user");
  await vi.waitUntil(() => answers.length > 0, { timeout: 30_000 });
  expect(answers).toHaveLength(1);
});
