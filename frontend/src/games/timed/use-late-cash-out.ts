import { useCallback, useRef, useState } from "react";
import { type LateCashOut, lateText } from "./late-cash-out";

/** Keeps the details of a late cash-out, for the toast and the line below the stage. */
export function useLateCashOut() {
  const [late, setLate] = useState<LateCashOut | null>(null);
  // The latest value, because the end can be announced before the next render.
  const current = useRef<LateCashOut | null>(null);
  const note = useCallback((next: LateCashOut) => {
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
