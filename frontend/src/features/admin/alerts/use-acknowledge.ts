// Acknowledges alerts, one after the other.

import { useRef, useState } from "react";
import { ApiError, errorMessage } from "@/api/client";
import { StepUpCancelled, withStepUp } from "@/api/step-up";
import { toast } from "@/components";
import { counted } from "@/lib/format";
import { acknowledgeAlert, type AdminAlert } from "../api/admin";
import { showError } from "../decisions/use-decision";
import { useSenders } from "../decisions/use-senders";

type Handlers = {
  onAcknowledged(alert: AdminAlert): void;
  /** After the last one. `isOutdated`: the server knows something else than what is shown. */
  onEnd(isOutdated: boolean): void;
};

/** What became of several: how many were acknowledged, and the first thing that went wrong. */
type Result = { done: number; problem: string | null; isOutdated: boolean };

function report({ done, problem }: Result): void {
  const said = done === 0 ? "" : `${counted(done, "alert has", "alerts have")} been acknowledged`;
  if (problem !== null) showError(said === "" ? problem : `${said}. ${problem}`);
  else if (said !== "") toast({ title: "Success", description: said });
}

export function useAcknowledge({ onAcknowledged, onEnd }: Handlers) {
  const senderOf = useSenders();
  const isRunning = useRef(false);
  const [runningId, setRunningId] = useState<number | null>(null);

  async function send({ id }: AdminAlert): Promise<AdminAlert> {
    return (await senderOf(id).send({ id }, (_, key) => withStepUp(() => acknowledgeAlert(id, key)))).answer;
  }

  async function sendAll(alerts: readonly AdminAlert[]): Promise<Result> {
    const result: Result = { done: 0, problem: null, isOutdated: false };
    for (const alert of alerts) {
      setRunningId(alert.id);
      try {
        // oxlint-disable-next-line no-await-in-loop -- one after the other, so that the confirmation is asked for once
        onAcknowledged(await send(alert));
        result.done += 1;
      } catch (error) {
        if (error instanceof StepUpCancelled) break;
        result.problem ??= errorMessage(error, "The alert could not be acknowledged. Please try again.");
        // Somebody else was faster, or it is gone; the others may still wait.
        if (!(error instanceof ApiError) || (error.status !== 409 && error.status !== 404)) break;
        result.isOutdated = true;
      }
    }
    return result;
  }

  async function acknowledge(alerts: readonly AdminAlert[]): Promise<void> {
    if (isRunning.current) return;
    isRunning.current = true;
    const result = await sendAll(alerts);
    isRunning.current = false;
    setRunningId(null);
    report(result);
    onEnd(result.isOutdated);
  }

  return { runningId, acknowledge };
}
