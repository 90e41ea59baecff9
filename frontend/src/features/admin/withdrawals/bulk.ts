// Decides several withdrawals one after the other. What becomes of one changes nothing for the others.

import { ApiError, errorCode, errorMessage } from "@/api/client";
import { StepUpCancelled } from "@/api/step-up";
import type { AdminWithdrawal, Outcome, WithdrawalDecision } from "../api/admin";

export type BulkState = "waiting" | "running" | "done" | "proposed" | "refused" | "unsure" | "unsent";
export type BulkResult = { state: BulkState; text: string };

export const WAITING: BulkResult = { state: "waiting", text: "" };
const UNSENT: BulkResult = { state: "unsent", text: "Not sent" };

/** Sends one decision; the same one again counts once. */
export type SendDecision = (
  request: AdminWithdrawal,
  decision: WithdrawalDecision,
) => Promise<Outcome<AdminWithdrawal>>;

type Bulk = {
  requests: readonly AdminWithdrawal[];
  decision: WithdrawalDecision;
  /** Whether what needs a second person is proposed. */
  isProposing: boolean;
  send: SendDecision;
  onResult(request: AdminWithdrawal, result: BulkResult, decided: AdminWithdrawal | null): void;
  /** Asked before each of them. */
  isStopped(): boolean;
};

export async function decideAll({ requests, onResult, isStopped, ...bulk }: Bulk): Promise<void> {
  let isOver = false;
  for (const request of requests) {
    if (isOver || isStopped()) {
      onResult(request, UNSENT, null);
      continue;
    }
    onResult(request, { state: "running", text: "" }, null);
    // oxlint-disable-next-line no-await-in-loop -- one after the other, so that the confirmation is asked for once
    const { result, decided } = await decideOne(request, bulk);
    onResult(request, result, decided);
    isOver = result.state === "unsent";
  }
}

type Decided = { result: BulkResult; decided: AdminWithdrawal | null };

async function decideOne(
  request: AdminWithdrawal,
  bulk: Pick<Bulk, "decision" | "isProposing" | "send">,
): Promise<Decided> {
  const { decision, isProposing, send } = bulk;
  try {
    return outcomeOf(await send(request, decision), decision);
  } catch (error) {
    const needsSecond = errorCode(error) === "second_person_required";
    if (!needsSecond || !isProposing || decision.action !== "approve")
      return { result: refusalOf(error), decided: null };
  }
  try {
    return outcomeOf(await send(request, { action: "approve", propose: true }), decision);
  } catch (error) {
    return { result: refusalOf(error), decided: null };
  }
}

function outcomeOf(outcome: Outcome<AdminWithdrawal>, { action }: WithdrawalDecision): Decided {
  if ("proposal" in outcome)
    return { result: { state: "proposed", text: "Proposed: another person must approve it" }, decided: null };
  return { result: { state: "done", text: action === "approve" ? "Approved" : "Rejected" }, decided: outcome.done };
}

function refusalOf(error: unknown): BulkResult {
  if (error instanceof StepUpCancelled) return UNSENT;
  if (!(error instanceof ApiError) || error.status >= 500)
    return { state: "unsure", text: "No answer: it may have been done. Trying again does it at most once." };
  return { state: "refused", text: errorMessage(error, "Refused") };
}
