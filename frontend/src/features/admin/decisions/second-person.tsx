// Decisions that may need a second person: once the server has said so, the same button proposes them.

import { UsersRound } from "lucide-react";
import { useState } from "react";
import { type ApiError, errorCode, errorMessage } from "@/api/client";
import type { Outcome, Proposal } from "../api/admin";
import { type DecisionMessages, showError } from "./use-decision";

const PROPOSED = "Proposed. Another person must approve it.";
/** Refusals that leave the dialog as it is. */
const STAYS = new Set(["no_second_person", "already_proposed"]);

/** Shows a refusal that leaves the dialog as it is; false for any other. */
export function showProposalRefusal(error: ApiError): boolean {
  if (!STAYS.has(errorCode(error) ?? "")) return false;
  showError(errorMessage(error, "It could not be proposed"));
  return true;
}

/** Whether a decision needs a second person. `subject` is what it is about: for another one, nothing is known yet. */
export function useSecondPerson(subject: string) {
  const [needed, setNeeded] = useState<{ subject: string; cause: string } | null>(null);
  const cause = needed?.subject === subject ? needed.cause : null;
  function onRefused(error: ApiError): boolean {
    if (errorCode(error) !== "second_person_required") return showProposalRefusal(error);
    setNeeded({ subject, cause: errorMessage(error, "A second person is needed.") });
    return true;
  }
  return {
    /** Why a second person is needed; null if none is, as far as known. */
    cause,
    /** What the request has in addition. */
    propose: cause === null ? {} : ({ propose: true } as const),
    onRefused,
  };
}

type OutcomeMessages<T> = Omit<DecisionMessages<T>, "success"> & {
  success: string;
  onProposed(proposal: Proposal): void;
};

/** The messages of a decision that may be proposed instead. */
export const outcomeMessages = <T,>({
  success,
  onDone,
  onProposed,
  ...others
}: OutcomeMessages<T>): DecisionMessages<Outcome<T>> => ({
  ...others,
  success: (outcome) => ("proposal" in outcome ? PROPOSED : success),
  onDone: (outcome) => ("proposal" in outcome ? onProposed(outcome.proposal) : onDone(outcome.done)),
});

/** Says in a dialog that its decision can only be proposed. */
export function SecondPersonNotice({ cause }: { cause: string | null }) {
  return (
    <div role="alert">
      {cause !== null && (
        <p className="flex gap-2 rounded-control border border-line bg-well p-4 text-14">
          <UsersRound aria-hidden className="mt-0.5 size-4 shrink-0 text-notice" />
          <span>{cause} You can propose it. Nothing changes until somebody else approves it under Approvals.</span>
        </p>
      )}
    </div>
  );
}
