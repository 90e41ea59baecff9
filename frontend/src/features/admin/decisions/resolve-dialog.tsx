// Resolves a review with a note of what was done about it.

import { resolveReview, type Review } from "../api/admin";
import { reviewWords } from "../payments/review-kinds";
import { DecisionDialog, Facts } from "./decision-dialog";
import { ReasonField, useReason } from "./reason-field";
import { RESOLUTION_REQUIRED } from "./rules";
import { useDecision, useIdempotentCall } from "./use-decision";

type ResolveDialogProps = { review: Review; onCancel(): void; onDone(review: Review): void; onConflict(): void };

export function ResolveDialog({ review, onCancel, onDone, onConflict }: ResolveDialogProps) {
  const { isBusy, decide } = useDecision();
  const send = useIdempotentCall((body: { resolution: string }, key) => resolveReview(review.id, body.resolution, key));
  const reason = useReason(RESOLUTION_REQUIRED, (resolution) => {
    void decide(send({ resolution }), {
      success: () => "The review has been resolved",
      fallback: "Failed to resolve the review",
      onDone,
      onConflict,
    });
  });
  return (
    <DecisionDialog
      title="Resolve Review"
      description="This closes the review without moving any money. Take the necessary action first."
      confirmLabel="Resolve"
      isBusy={isBusy}
      initialFocus={reason.focus}
      onCancel={onCancel}
      onConfirm={reason.submit}
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
      <ReasonField
        label="What was done"
        hint="The note is kept with the review and in the audit log."
        {...reason.field}
      />
    </DecisionDialog>
  );
}
