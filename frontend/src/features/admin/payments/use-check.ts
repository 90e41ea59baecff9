// Asking the provider about a payment, which also settles what it says.

import { useCallback, useRef, useState } from "react";
import { errorCode, errorMessage } from "@/api/client";
import { toast } from "@/components";
import { checkPayment, type PaymentCheck, type PaymentIdType } from "../api/admin";
import { showError } from "../decisions/use-decision";
import { inWords } from "../lists/wording";

/** What came back, and which time of asking it was. */
type Shown = { answer: PaymentCheck; turn: number };

export function useCheck(onChecked: (answer: PaymentCheck) => void) {
  const [shown, setShown] = useState<Shown | null>(null);
  const [unknownId, setUnknownId] = useState<string | null>(null);
  const [runningId, setRunningId] = useState<string | null>(null);
  const isRunning = useRef(false);
  const turn = useRef(0);
  const run = useCallback(
    async (paymentId: string, idType?: PaymentIdType): Promise<void> => {
      if (isRunning.current) return;
      isRunning.current = true;
      setRunningId(paymentId);
      turn.current += 1;
      try {
        const answer = await checkPayment(paymentId, idType);
        setShown({ answer, turn: turn.current });
        setUnknownId(null);
        toast({
          title: "Payment Status Checked",
          description: `Payment ${answer.payment_id} is ${inWords(answer.api_status)}`,
        });
        onChecked(answer);
      } catch (error) {
        setShown(null);
        setUnknownId(errorCode(error) === "unknown_payment" ? paymentId : null);
        showError(errorMessage(error, "Failed to check payment status"));
      } finally {
        isRunning.current = false;
        setRunningId(null);
      }
    },
    [onChecked],
  );
  /** Brings what is shown up to date after a decision, without a word and without taking the focus. */
  const renew = useCallback(async (): Promise<void> => {
    if (shown === null) return;
    try {
      const answer = await checkPayment(shown.answer.payment_id, shown.answer.id_type);
      setShown((known) => (known?.turn === shown.turn ? { ...known, answer } : known));
    } catch {
      // What is shown says itself when it was asked for.
    }
  }, [shown]);
  return { shown, unknownId, runningId, run, renew };
}

export type Check = ReturnType<typeof useCheck>;
