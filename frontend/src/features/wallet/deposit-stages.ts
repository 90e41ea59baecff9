// The stages of a deposit: when each is entered, its toast, and the label of its button.

import { centsOf, formatDollars } from "@/lib/money";
import type { DepositStatus } from "./api/wallet";

export type DepositStage = "pending" | "confirming" | "partially_paid" | "completed" | "failed";
export type StageToast = { title: string; description: string; variant?: "destructive" };

export const BUTTON_LABELS: Record<DepositStage, string> = {
  pending: "Cancel",
  confirming: "Wait",
  partially_paid: "OK",
  completed: "Done",
  failed: "Close",
};

/** Polling stops after these. */
export const isFinal = (stage: DepositStage): boolean => stage === "completed" || stage === "failed";
/** In these stages closing the dialog asks for confirmation. */
export const asksBeforeClosing = (stage: DepositStage): boolean => stage === "pending" || stage === "confirming";

/** The stage after a status. An unknown status leaves the stage as it is, and none returns to pending. */
export function stageAfter(stage: DepositStage, { processed, external_status, status }: DepositStatus): DepositStage {
  if (isFinal(stage)) return stage;
  if (processed) return "completed";
  switch (external_status) {
    case "finished":
    case "confirmed":
    case "sending":
      return "confirming";
    case "partially_paid":
      return "partially_paid";
    case "failed":
    case "expired":
    case "refunded":
      return "failed";
    // No payment is known, so the deposit's own status says whether one is still expected.
    case "waiting":
      return status === "failed" || status === "expired" ? "failed" : stage;
    default:
      return stage;
  }
}

/** The toast shown when a stage is entered. */
export function toastOf(stage: DepositStage, { amount, creditedAmount }: DepositStatus): StageToast | null {
  const requested = formatDollars(centsOf(amount));
  const credited = formatDollars(centsOf(creditedAmount));
  switch (stage) {
    case "pending":
      return null;
    case "confirming":
      return { title: "Payment Detected!", description: "Your payment has been detected and is being confirmed." };
    case "partially_paid":
      return {
        title: "Partial Payment Detected!",
        description: `${credited} of ${requested} was credited. The rest can be sent to the same payment page.`,
      };
    case "completed":
      return { title: "Deposit Successful!", description: `${credited} was added to your balance.` };
    case "failed":
      return {
        title: "Deposit Failed",
        description: "Your payment could not be processed. Please try again.",
        variant: "destructive",
      };
  }
}

export type StageTexts = { badge: string; tone: "neutral" | "win" | "notice" | "info"; text: string };

/** The dialog's texts for a stage. */
export function stageTexts(stage: DepositStage, status: DepositStatus | null): StageTexts {
  const credited = formatDollars(centsOf(status?.creditedAmount ?? "0.00"));
  const requested = formatDollars(centsOf(status?.amount ?? "0.00"));
  const isPartCredited = status !== null && centsOf(status.creditedAmount) > 0;
  switch (stage) {
    case "pending":
      return status?.external_status === "confirming"
        ? {
            badge: "Confirming",
            tone: "info",
            text: "Your payment has been detected. The blockchain is confirming it.",
          }
        : { badge: "Waiting", tone: "neutral", text: "Waiting for your payment. This updates by itself." };
    case "confirming":
      return {
        badge: "Payment detected",
        tone: "info",
        text: "Your payment is being confirmed. It will be credited once it is confirmed.",
      };
    case "partially_paid":
      return {
        badge: "Partially paid",
        tone: "info",
        text: `${credited} of ${requested} was credited. You can send the rest to the same payment page.`,
      };
    case "completed":
      return { badge: "Completed", tone: "win", text: `${credited} was added to your balance.` };
    case "failed": {
      const kept = isPartCredited ? ` The ${credited} already credited stays in your balance.` : "";
      const late =
        status?.external_status === "expired" || status?.status === "expired"
          ? " Money that still arrives will be credited."
          : "";
      return {
        badge: "Failed",
        tone: "notice",
        text: `Your payment could not be processed. Please try again.${kept}${late}`,
      };
    }
  }
}
