import { useEffect, useRef } from "react";
import type { BetResult } from "@/games/autobet/run";
import { type Autobet, useAutobet } from "@/games/autobet/use-autobet";
import { centsOf, wireAmount } from "@/lib/money";
import { useReducedMotion } from "@/lib/reduced-motion";
import { isTurbo } from "@/lib/turbo";
import { type DiceForm, type Limits, requestOf } from "./rules";
import type { useDiceBet } from "./use-dice-bet";

/** How long a result is shown: the marker needs most of the turbo time to arrive. */
const GAP_MS = { turbo: 250, animated: 500, still: 1500 } as const;

type DiceAutobetOptions = {
  form: DiceForm;
  limits: Limits;
  isPaused: boolean;
  place: ReturnType<typeof useDiceBet>["place"];
};

/** Autobet on the target and side in the form. */
export function useDiceAutobet({ form, limits, isPaused, place }: DiceAutobetOptions): Autobet {
  const isStill = useReducedMotion();
  const latest = useRef(form);
  useEffect(() => {
    latest.current = form;
  });
  return useAutobet({
    limits: { ...limits, minimumCents: 1 },
    isClosed: isPaused,
    gapMs: () => (isTurbo() ? GAP_MS.turbo : isStill ? GAP_MS.still : GAP_MS.animated),
    async place(stakeCents): Promise<BetResult> {
      const placed = await place(requestOf({ ...latest.current, amount: wireAmount(stakeCents) }), true);
      if (placed.kind !== "rolled") return placed;
      const { isWin, winAmount, newBalance } = placed.rolled.result;
      const [payoutCents, balanceCents] = [centsOf(winAmount), centsOf(newBalance)];
      return { kind: "settled", stakeCents, payoutCents, isWin, balanceCents };
    },
  });
}
