import { useCallback, useRef, useState } from "react";
import { type LateLeaving, lateText } from "./late-leaving";

/** Keeps the details of a late cash-out, for the toast and the line below the stage. */
export function useLateLeaving() {
  const [late, setLate] = useState<LateLeaving | null>(null);
  // The latest value, because the end can be announced before the next render.
  const current = useRef<LateLeaving | null>(null);
  const note = useCallback((next: LateLeaving) => {
    current.current = next;
    setLate(next);
  }, []);
  /** How late the player was in a round; null if not at all. */
  const textOf = useCallback((roundId: number | undefined) => {
    const known = current.current;
    return known !== null && known.roundId === roundId ? lateText(known) : null;
  }, []);
  return { late, note, textOf };
}
