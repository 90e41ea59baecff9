// Makes one decision at a time, even on repeated clicks, and shows its result.

import { useCallback, useRef, useState } from "react";
import { ApiError, errorMessage } from "@/api/client";
import { IdempotentSender } from "@/api/idempotent-sender";
import { StepUpCancelled, withStepUp } from "@/api/step-up";
import { toast } from "@/components";

/** Keeps the dialog open for the second click of a double click, so that it does not hit what is beneath. */
const DOUBLE_CLICK_MS = 400;
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export type DecisionMessages<T> = {
  success(answer: T): string;
  /** Shown if the server gives no reason. */
  fallback: string;
  onDone(answer: T): void;
  /** The data shown is out of date: somebody else was faster, or the record is gone. */
  onConflict(error: ApiError): void | Promise<void>;
  /** Whether the dialog deals with a refusal itself. */
  onRefused?(error: ApiError): boolean;
  /** The outcome is unknown because the response was lost. */
  onUnsure?(): void;
};

/** An error toast for a refusal or invalid input. */
export function showError(description: string): void {
  toast({ title: "Error", description, variant: "destructive" });
}

/**
 * Sends a decision. A lost response is retried with the same key, which also survives the dialog that asks for a
 * confirmation, so that the decision counts once.
 */
export function useIdempotentCall<B extends object, T>(call: (body: B, key: string) => Promise<T>) {
  const [sender] = useState(() => new IdempotentSender());
  return (body: B) => async (): Promise<T> =>
    (await sender.send(body, (sent, key) => withStepUp(() => call(sent, key)))).answer;
}

/** Makes one decision at a time: see useIdempotentCall. */
export function useDecision() {
  const isRunning = useRef(false);
  const [isBusy, setBusy] = useState(false);
  const decide = useCallback(async <T>(call: () => Promise<T>, messages: DecisionMessages<T>): Promise<void> => {
    if (isRunning.current) return;
    isRunning.current = true;
    setBusy(true);
    const clicked = pause(DOUBLE_CLICK_MS);
    try {
      const answer = await call();
      await clicked;
      toast({ title: "Success", description: messages.success(answer) });
      messages.onDone(answer);
    } catch (error) {
      if (error instanceof StepUpCancelled) return;
      await clicked;
      if (error instanceof ApiError && messages.onRefused?.(error) === true) return;
      showError(errorMessage(error, messages.fallback));
      if (!(error instanceof ApiError) || error.status >= 500) messages.onUnsure?.();
      else if (error.status === 404 || error.status === 409) await messages.onConflict(error);
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  }, []);
  return { isBusy, decide };
}
