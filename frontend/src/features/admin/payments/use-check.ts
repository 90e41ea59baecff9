// Checks a payment at the provider, which also settles the result.

import { useCallback, useRef, useState } from "react";
import { errorCode, errorMessage } from "@/api/client";
import { toast } from "@/components";
import { checkPayment, type PaymentCheck, type PaymentIdType } from "../api/admin";
import { showError } from "../decisions/use-decision";
import { inWords } from "../lists/wording";

/** The answer, and a counter of the checks. */
type Shown = { answer: PaymentCheck; checkCount: number };

export function useCheck(onChecked: (answer: PaymentCheck) => void) {
  const [shown, setShown] = useState<Shown | null>(null);
  const [unknownId, setUnknownId] = useState<string | null>(null);
  const [runningId, setRunningId] = useState<string | null>(null);
  const isRunning = useRef(false);
  const checkCount = useRef(0);
  const run = useCallback(
    async (paymentId: string, idType?: PaymentIdType): Promise<void> => {
      if (isRunning.current) return;
      isRunning.current = true;
      setRunningId(paymentId);
      checkCount.current += 1;
      try {
        const answer = await checkPayment(paymentId, idType);
        setShown({ answer, checkCount: checkCount.current });
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
  /** Refreshes the result after a decision, without a toast and without moving the focus. */
  const renew = useCallback(async (): Promise<void> => {
    if (shown === null) return;
    try {
      const answer = await checkPayment(shown.answer.payment_id, shown.answer.id_type);
      setShown((known) => (known?.checkCount === shown.checkCount ? { ...known, answer } : known));
    } catch {
      // The result shows when it was loaded, so a failure needs no message.
    }
  }, [shown]);
  return { shown, unknownId, runningId, run, renew };
}

export type Check = ReturnType<typeof useCheck>;
