import { type RefObject, useEffect, useRef } from "react";
import { celebrate, prepareCelebration } from "@/lib/celebrate";
import { centsOf } from "@/lib/money";

/** A round that is over; the amounts are the server's. */
export type EndedRound = { roundId: number; stakedAmount: string; winAmount: string };

/**
 * Celebrates each round once, when its result is on screen: the place where the end of a round is staged. The ref is for
 * the element that shows the result, unless `shown` knows it.
 */
export function useCelebration(
  ended: EndedRound | null,
  shown?: { readonly element: Element | null },
): RefObject<HTMLDivElement | null> {
  const result = useRef<HTMLDivElement>(null);
  const celebrated = useRef<number>(undefined);
  useEffect(prepareCelebration, []);
  useEffect(() => {
    if (!ended || celebrated.current === ended.roundId) return;
    celebrated.current = ended.roundId;
    celebrate({
      stakeCents: centsOf(ended.stakedAmount),
      payoutCents: centsOf(ended.winAmount),
      from: shown ? shown.element : result.current,
    });
  }, [ended, shown]);
  return result;
}
