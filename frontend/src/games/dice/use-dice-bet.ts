import { useCallback, useEffect, useRef, useState } from "react";
import { errorMessage, isDecided, newIdempotencyKey } from "@/api/client";
import { dismissErrors, toast } from "@/components";
import { centsOf } from "@/lib/money";
import { type DicePlayRequest, type DicePlayResult, playDice } from "./api";

/** Fast ticks, then slow ones, then the result. */
const TICKS_MS: readonly number[] = [...Array.from({ length: 15 }, () => 80), ...Array.from({ length: 5 }, () => 150)];

export type RollState = { phase: "idle" } | { phase: "rolling"; shown: number } | ({ phase: "done" } & Rolled);

/** A bet with its result. */
export type Rolled = { bet: DicePlayRequest; result: DicePlayResult };

export const profitOf = ({ bet, result }: Rolled): number => centsOf(result.winAmount) - centsOf(bet.betAmount);

type Options = { isStill: boolean; onSettled(rolled: Rolled): void };

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Places one bet at a time and animates the roll. A bet with a lost response is retried with the same key, so that
 * money moves only once.
 */
export function useDiceBet({ isStill, onSettled }: Options) {
  const [state, setState] = useState<RollState>({ phase: "idle" });
  const isBusy = useRef(false);
  const isMounted = useRef(true);
  const unanswered = useRef<{ body: string; key: string } | null>(null);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);

  const place = useCallback(
    async (bet: DicePlayRequest) => {
      if (isBusy.current) return;
      isBusy.current = true;
      dismissErrors();
      setState({ phase: "rolling", shown: 50 });
      try {
        const result = await send(bet, unanswered);
        for (const wait of isStill ? [] : TICKS_MS) {
          if (!isMounted.current) break;
          setState({ phase: "rolling", shown: 1 + Math.floor(Math.random() * 100) });
          // oxlint-disable-next-line no-await-in-loop -- the ticks follow each other
          await pause(wait);
        }
        setState({ phase: "done", bet, result });
        onSettled({ bet, result });
      } catch (error) {
        setState({ phase: "idle" });
        toast({ title: "Error", description: errorMessage(error, "Something went wrong"), variant: "destructive" });
      } finally {
        isBusy.current = false;
      }
    },
    [isStill, onSettled],
  );
  return { state, place };
}

async function send(
  bet: DicePlayRequest,
  unanswered: { current: { body: string; key: string } | null },
): Promise<DicePlayResult> {
  const body = JSON.stringify(bet);
  const key = unanswered.current?.body === body ? unanswered.current.key : newIdempotencyKey();
  unanswered.current = { body, key };
  try {
    const result = await playDice(bet, key);
    unanswered.current = null;
    return result;
  } catch (error) {
    if (isDecided(error)) unanswered.current = null;
    throw error;
  }
}
