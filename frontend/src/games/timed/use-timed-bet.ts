import { useEffect, useState } from "react";
import useSWR from "swr";
import { FETCH_ONCE } from "@/api/hooks";
import { useSession } from "@/api/session";
import type { Refusal } from "@/lib/bet-rules";
import { centsOf } from "@/lib/money";
import type { LiveRound } from "./api";
import type { TimedGameSpec } from "./timed-game-spec";

/** The next bet and its limits. */
export function useTimedBet<
  R extends LiveRound,
  F extends { amount: string },
  S extends object,
  C extends object,
  P extends Record<string, Refusal | null>,
>(spec: TimedGameSpec<R, F, S, C, P>) {
  const { calls, defaultForm, defaultLimits, fetchSettings } = spec;
  const { user } = useSession();
  const [typed, setTyped] = useState<F | null>(null);
  // Errors are shown only after the first interaction.
  const [isChecked, setChecked] = useState(false);
  const { data, error } = useSWR(`${calls.game}-settings`, fetchSettings, FETCH_ONCE);
  useEffect(() => {
    if (error) console.warn(`The ${calls.game} settings could not be loaded`, error);
  }, [error, calls.game]);
  const bounds = data ? { minimumCents: centsOf(data.minBet), maximumCents: centsOf(data.maxBet) } : defaultLimits;
  return {
    // Input that was already changed is kept; otherwise the server's defaults replace ours.
    form: typed ?? data?.form ?? defaultForm,
    limits: { ...bounds, balanceCents: user ? centsOf(user.balance) : 0 },
    isChecked,
    check: () => setChecked(true),
    change(next: F) {
      setTyped(next);
      setChecked(true);
    },
  };
}
