import { useEffect, useRef, useState } from "react";
import { errorCode } from "./client";
import { CeremonyCancelled, ceremonyMessage } from "./passkeys";
import { StepUpCancelled } from "./step-up";

/** What is to be said of a ceremony that led nowhere. */
export type CeremonyNotice = { text: string; isFailure: boolean };

type Texts = {
  /** Said if the user did not go through with it, which is no failure. */
  cancelled: string;
  /** Said of a passkey that the server does not accept. */
  refused?: string;
};

/** Runs one ceremony at a time; it ends with the screen that began it. */
export function useCeremony({ cancelled, refused }: Texts) {
  const running = useRef<AbortController | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [notice, setNotice] = useState<CeremonyNotice>();
  useEffect(() => () => running.current?.abort(), []);
  function noticeOf(error: unknown): CeremonyNotice {
    if (error instanceof CeremonyCancelled) return { text: cancelled, isFailure: false };
    const isRefused = refused !== undefined && errorCode(error) === "invalid_passkey";
    return { text: isRefused ? refused : ceremonyMessage(error), isFailure: true };
  }
  async function run(ceremony: (signal: AbortSignal) => Promise<void>) {
    if (running.current !== null) return;
    running.current = new AbortController();
    setBusy(true);
    setNotice(undefined);
    try {
      await ceremony(running.current.signal);
    } catch (error) {
      if (!(error instanceof StepUpCancelled)) setNotice(noticeOf(error));
    } finally {
      running.current = null;
      setBusy(false);
    }
  }
  return { isBusy, notice, run };
}
