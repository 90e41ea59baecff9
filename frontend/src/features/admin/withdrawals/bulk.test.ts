import { expect, it, vi } from "vitest";
import { ApiError, ConnectionError, type ErrorCode } from "@/api/client";
import { StepUpCancelled } from "@/api/step-up";
import type { AdminWithdrawal, Proposal, WithdrawalDecision } from "../api/admin";
import { type BulkResult, decideAll, type SendDecision } from "./bulk";

const request = (id: number) => ({ id, status: "pending" }) as AdminWithdrawal;
const done = (id: number) => ({ done: { ...request(id), status: "approved" } as AdminWithdrawal });
const refusal = (status: number, code: ErrorCode) => new ApiError(status, `no: ${code}`, { code, message: code });
const APPROVE: WithdrawalDecision = { action: "approve" };

/** Decides three requests and returns what became of each, and which decisions were sent. */
async function decide(send: SendDecision, options: { isProposing?: boolean; stopAfter?: number } = {}) {
  const sent: [number, WithdrawalDecision][] = [];
  const results = new Map<number, BulkResult>();
  const decided: number[] = [];
  await decideAll({
    requests: [1, 2, 3].map(request),
    decision: APPROVE,
    isProposing: options.isProposing ?? true,
    send: async (one, decision) => {
      sent.push([one.id, decision]);
      return send(one, decision);
    },
    isStopped: () => sent.length >= (options.stopAfter ?? 99),
    onResult(one, result, answer) {
      results.set(one.id, result);
      if (answer !== null) decided.push(answer.id);
    },
  });
  return {
    sent: sent.map(([id]) => id),
    decisions: sent.map(([, one]) => one),
    states: [...results.values()],
    decided,
  };
}
const statesOf = (results: readonly BulkResult[]) => results.map(({ state }) => state);

it("goes on after a refusal and after a lost answer", async () => {
  const { states, decided } = await decide(async ({ id }) => {
    if (id === 1) throw refusal(409, "already_decided");
    if (id === 2) throw new ConnectionError(new Error("lost"));
    return done(id);
  });
  expect(statesOf(states)).toEqual(["refused", "unsure", "done"]);
  expect(states[0]?.text).toContain("already_decided");
  expect(decided).toEqual([3]);
});

const needingSecond: SendDecision = async ({ id }, decision) => {
  if (id !== 2) return done(id);
  if (!("propose" in decision)) throw refusal(422, "second_person_required");
  return { proposal: { id: 9 } as Proposal };
};

it("proposes what needs a second person, and only if that is wanted", async () => {
  const proposed = await decide(needingSecond);
  expect(statesOf(proposed.states)).toEqual(["done", "proposed", "done"]);
  expect(proposed.decisions[2]).toEqual({ action: "approve", propose: true });
  const refused = await decide(needingSecond, { isProposing: false });
  expect(statesOf(refused.states)).toEqual(["done", "refused", "done"]);
  expect(refused.sent).toEqual([1, 2, 3]);
});

it("says why a proposal was refused", async () => {
  const { states } = await decide(async ({ id }, decision) => {
    if (id !== 1) return done(id);
    throw refusal(422, "propose" in decision ? "no_second_person" : "second_person_required");
  });
  expect(states[0]).toMatchObject({ state: "refused", text: "no: no_second_person" });
  expect(statesOf(states)).toEqual(["refused", "done", "done"]);
});

it("sends nothing more once nobody confirms", async () => {
  const { states, sent } = await decide(async ({ id }) => {
    if (id === 2) throw new StepUpCancelled(403, "confirm", { code: "step_up_required", message: "confirm" });
    return done(id);
  });
  expect(sent).toEqual([1, 2]);
  expect(statesOf(states)).toEqual(["done", "unsent", "unsent"]);
});

it("stops when told to, and sends one after the other", async () => {
  let running = 0;
  const send = vi.fn<SendDecision>(async ({ id }) => {
    running += 1;
    expect(running).toBe(1);
    await Promise.resolve();
    running -= 1;
    return done(id);
  });
  expect(statesOf((await decide(send, { stopAfter: 2 })).states)).toEqual(["done", "done", "unsent"]);
});
