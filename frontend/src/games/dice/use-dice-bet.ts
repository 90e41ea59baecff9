import { useCallback, useEffect, useRef, useState } from "react";
import { errorMessage, isDecided, isRateLimited, newIdempotencyKey } from "@/api/client";
import { dismissErrors, toast } from "@/components";
import { centsOf } from "@/lib/money";
import { type DicePlayRequest, type DicePlayResult, playDice } from "./api";

/** Fast ticks, then slow ones, then the result. */
const TICKS_MS: readonly number[] = [...Array.from({ length: 15 }, () => 80), ...Array.from({ length: 5 }, () => 150)];

export type RollState = { phase: "idle" } | { phase: "rolling"; shown: number } | ({ phase: "done" } & Rolled);

/** A bet with its result. */
export type Rolled = { bet: DicePlayRequest; result: DicePlayResult };
/** What became of a bet: its result, the server's refusal, which may be only for now, or nothing is known. */
export type Placed =
  | { kind: "rolled"; rolled: Rolled }
  | { kind: "refused" | "later"; message: string }
  | { kind: "unknown" };

export const profitOf = ({ bet, result }: Rolled): number => centsOf(result.winAmount) - centsOf(bet.betAmount);

type Options = {
  /** Whether the result is shown as soon as it is known, without ticks. */
  isAtOnce: boolean;
  onSettled(rolled: Rolled, isQuiet: boolean): void;
};
type Unanswered = { current: { body: string; key: string } | null };

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const BUSY: Placed = { kind: "refused", message: "A bet is already being rolled" };

/**
 * Places one bet at a time and animates the roll. A bet with a lost response is retried with the same key, so that
 * money moves only once.
 */
export function useDiceBet({ isAtOnce, onSettled }: Options) {
  const [state, setState] = useState<RollState>({ phase: "idle" });
  const isBusy = useRef(false);
  const isMounted = useRef(true);
  const unanswered: Unanswered = useRef(null);
  const latest = useRef({ isAtOnce, onSettled });
  useEffect(() => {
    latest.current = { isAtOnce, onSettled };
  });
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);

  /** A quiet bet shows no toasts: its caller says what became of it. */
  const place = useCallback(async (bet: DicePlayRequest, isQuiet = false): Promise<Placed> => {
    if (isBusy.current) return BUSY;
    isBusy.current = true;
    dismissErrors();
    setState({ phase: "rolling", shown: 50 });
    try {
      const result = await send(bet, unanswered);
      for (const wait of latest.current.isAtOnce ? [] : TICKS_MS) {
        if (!isMounted.current || document.hidden) break;
        setState({ phase: "rolling", shown: 1 + Math.floor(Math.random() * 100) });
        // oxlint-disable-next-line no-await-in-loop -- the ticks follow each other
        await pause(wait);
      }
      setState({ phase: "done", bet, result });
      latest.current.onSettled({ bet, result }, isQuiet);
      return { kind: "rolled", rolled: { bet, result } };
    } catch (error) {
      setState({ phase: "idle" });
      const message = errorMessage(error, "Something went wrong");
      if (!isQuiet) toast({ title: "Error", description: message, variant: "destructive" });
      if (isRateLimited(error)) return { kind: "later", message };
      return isDecided(error) ? { kind: "refused", message } : { kind: "unknown" };
    } finally {
      isBusy.current = false;
    }
  }, []);
  return { state, place };
}

async function send(bet: DicePlayRequest, unanswered: Unanswered): Promise<DicePlayResult> {
  const body = JSON.stringify(bet);
  const key = unanswered.current?.body === body ? unanswered.current.key : newIdempotencyKey();
  unanswered.current = { body, key };
  try {
    const result = await playDice(bet, key);
    unanswered.current = null;
    return result;
  } catch (error) {
    if (isDecided(error) && !isRateLimited(error)) unanswered.current = null;
    throw error;
  }
}
