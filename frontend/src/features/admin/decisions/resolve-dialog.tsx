// Resolves a review with a note of what was done about it.

import { useRef, useState } from "react";
import { IdempotentSender } from "@/api/idempotent-sender";
import { Field, Input } from "@/components";
import { resolveReview, type Review } from "../api/admin";
import { reviewWords } from "../payments/review-kinds";
import { DecisionDialog, Facts } from "./decision-dialog";
import { RESOLUTION_REQUIRED, trimmed } from "./rules";
import type { StepUp } from "./step-up";
import { showError, useDecision } from "./use-decision";

type ResolveDialogProps = { review: Review; onCancel(): void; onDone(review: Review): void; onConflict(): void };

export function ResolveDialog({ review, onCancel, onDone, onConflict }: ResolveDialogProps) {
  const [text, setText] = useState("");
  const [isRefused, setRefused] = useState(false);
  const [sender] = useState(() => new IdempotentSender());
  const input = useRef<HTMLInputElement>(null);
  const { isBusy, decide } = useDecision();
  function resolve() {
    const resolution = trimmed(text);
    setRefused(resolution === null);
    if (resolution === null) {
      showError(RESOLUTION_REQUIRED);
      input.current?.focus();
      return;
    }
    const send = (stepUp: StepUp) =>
      sender.send({ resolution }, (body, key) => stepUp(() => resolveReview(review.id, body.resolution, key)));
    void decide(async (stepUp) => (await send(stepUp)).answer, {
      success: () => "The review has been resolved",
      fallback: "Failed to resolve the review",
      onDone,
      onConflict,
    });
  }
  return (
    <DecisionDialog
      title="Resolve Review"
      description="This closes the review without moving any money. Take the necessary action first."
      confirmLabel="Resolve"
      isBusy={isBusy}
      initialFocus={input}
      onCancel={onCancel}
      onConfirm={resolve}
    >
      <Facts
        facts={[
          ["Case", reviewWords(review.kind).title],
          [
            "Payment",
            <span key="payment" className="break-all">
              {review.paymentId}
            </span>,
          ],
          ["User", review.userId === null ? "Unknown" : `${review.username ?? "User"} #${review.userId}`],
        ]}
      />
      <Field label="What was done" hint="The note is kept with the review and in the audit log.">
        {(ids) => (
          <Input
            {...ids}
            ref={input}
            aria-invalid={isRefused || undefined}
            maxLength={500}
            autoComplete="off"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
    </DecisionDialog>
  );
}
