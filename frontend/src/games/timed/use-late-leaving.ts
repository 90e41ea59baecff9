import { useCallback, useRef, useState } from "react";
import { type LateLeaving, lateText } from "./late-leaving";

/** Keeps what is known of a cash-out that came too late, for the toast and for the line below the stage. */
export function useLateLeaving() {
  const [late, setLate] = useState<LateLeaving | null>(null);
  // Of this moment: the round's end can be told before the next render.
  const current = useRef<LateLeaving | null>(null);
  const note = useCallback((next: LateLeaving) => {
    current.current = next;
    setLate(next);
  }, []);
  /** How late the player was in a round; null where they were not. */
  const textOf = useCallback((roundId: number | undefined) => {
    const known = current.current;
    return known !== null && known.roundId === roundId ? lateText(known) : null;
  }, []);
  return { late, note, textOf };
}
