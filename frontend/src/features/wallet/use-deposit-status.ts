// Polls a deposit's status until it is final or the dialog is closed.

import { useEffect, useRef, useState } from "react";
import { useOnVisible } from "@/lib/use-on-visible";
import { type DepositStatus, fetchDepositStatus } from "./api/wallet";
import { type DepositStage, isFinal, stageAfter } from "./deposit-stages";

export const POLL_INTERVAL_MS = 5000;
/** A slower response is aborted, so that polling continues. */
const ANSWER_TIMEOUT_MS = 15_000;

type Options = {
  /** Null while there is nothing to poll. */
  invoiceId: string | null;
  /** Whether the deposit was reopened, so that its status may already be known. */
  isReopened: boolean;
  /** Called once for each stage that is entered. */
  onEnter(stage: DepositStage, status: DepositStatus): void;
};

type Shown = { stage: DepositStage; status: DepositStatus | null };

export function useDepositStatus({ invoiceId, isReopened, onEnter }: Options): Shown {
  const [shown, setShown] = useState<Shown>({ stage: "pending", status: null });
  const stage = useRef<DepositStage>("pending");
  const enter = useRef(onEnter);
  const pollNow = useRef<() => void>(() => undefined);
  useEffect(() => {
    enter.current = onEnter;
  });

  useEffect(() => {
    if (invoiceId === null) return undefined;
    const id = invoiceId;
    const stop = new AbortController();
    let isAsking = false;
    async function ask() {
      if (isAsking || stop.signal.aborted || isFinal(stage.current)) return;
      isAsking = true;
      try {
        const status = await fetchDepositStatus(
          id,
          AbortSignal.any([stop.signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]),
        );
        if (stop.signal.aborted) return;
        const next = stageAfter(stage.current, status);
        const isEntered = next !== stage.current;
        stage.current = next;
        setShown({ stage: next, status });
        if (isFinal(next)) clearInterval(timer);
        if (isEntered) enter.current(next, status);
      } catch (error) {
        if (!stop.signal.aborted) console.debug("The status of the deposit could not be loaded", error);
      } finally {
        isAsking = false;
      }
    }
    const timer = setInterval(() => void ask(), POLL_INTERVAL_MS);
    pollNow.current = () => void ask();
    if (isReopened) void ask();
    return () => {
      clearInterval(timer);
      stop.abort();
      pollNow.current = () => undefined;
    };
  }, [invoiceId, isReopened]);

  // Timers of background tabs are throttled, and the deposit is often paid meanwhile.
  useOnVisible(() => pollNow.current());
  return shown;
}
