import { useEffect, useRef, useState } from "react";
import { flightMs } from "@/lib/celebrate";
import { useReducedMotion } from "@/lib/reduced-motion";

const DURATION_MS = 400;

/**
 * Counts up to a higher number of cents within 400 ms, once a flying win has arrived. A lower one is shown at once: a
 * stake is no event, and the start of a round needs the frames. So is every number under reduced motion.
 */
export function useCountUp(cents: number): number {
  const [shown, setShown] = useState(cents);
  const from = useRef(cents);
  const isStill = useReducedMotion();
  useEffect(() => {
    const start = from.current;
    from.current = cents;
    if (isStill || cents <= start) {
      setShown(cents);
      return undefined;
    }
    let frame = 0;
    let begun: number | null = null;
    const step = (now: number) => {
      // Only now, because a win that is shown together with the new balance has been launched by the first frame.
      begun ??= now + flightMs();
      const share = Math.min(1, Math.max(0, (now - begun) / DURATION_MS));
      setShown(share === 1 ? cents : Math.round(start + (cents - start) * share));
      if (share < 1) frame = requestAnimationFrame(step);
    };
    frame = requestAnimationFrame(step);
    return () => cancelAnimationFrame(frame);
  }, [cents, isStill]);
  return shown;
}
