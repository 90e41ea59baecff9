// One decision at a time: however often one clicks, it is made once, and what came of it is told.

import { useCallback, useRef, useState } from "react";
import { ApiError, errorMessage } from "@/api/client";
import { toast } from "@/components";
import { type StepUp, StepUpCancelled, useStepUp } from "./step-up";

/** A double click takes so long: its second click is still to meet the dialog, and not what is beneath. */
const DOUBLE_CLICK_MS = 400;
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export type DecisionMessages<T> = {
  success(answer: T): string;
  /** What is said where the server gives no reason. */
  fallback: string;
  onDone(answer: T): void;
  /** Things are not as they were shown: somebody else was first, or it is gone. */
  onConflict(error: ApiError): void | Promise<void>;
  /** Nobody knows whether it was done: the answer got lost. */
  onUnsure?(): void;
};

/** A message that something was refused, or not entered rightly. */
export function showError(description: string): void {
  toast({ title: "Error", description, variant: "destructive" });
}

/**
 * Where money is decided on, the call is made through the `stepUp` that it is handed. What has an
 * idempotency key is sent from inside of it, so that the key outlives the question.
 */
export function useDecision() {
  const stepUp = useStepUp();
  const isRunning = useRef(false);
  const [isBusy, setBusy] = useState(false);
  const decide = useCallback(
    async <T>(call: (stepUp: StepUp) => Promise<T>, messages: DecisionMessages<T>): Promise<void> => {
      if (isRunning.current) return;
      isRunning.current = true;
      setBusy(true);
      const clicked = pause(DOUBLE_CLICK_MS);
      try {
        const answer = await call(stepUp);
        await clicked;
        toast({ title: "Success", description: messages.success(answer) });
        messages.onDone(answer);
      } catch (error) {
        if (error instanceof StepUpCancelled) return;
        await clicked;
        showError(errorMessage(error, messages.fallback));
        if (!(error instanceof ApiError) || error.status >= 500) messages.onUnsure?.();
        else if (error.status === 404 || error.status === 409) await messages.onConflict(error);
      } finally {
        isRunning.current = false;
        setBusy(false);
      }
    },
    [stepUp],
  );
  return { isBusy, decide };
}
