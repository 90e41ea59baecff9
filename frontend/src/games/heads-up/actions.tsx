import { useEffect, useRef, useState } from "react";
import { Button, DockAction } from "@/components";
import { formatDollars, formatWire } from "@/lib/money";
import type { HeadsUpAction, HeadsUpHand } from "./api";
import { costCents } from "./rules";

export const ACTIONS: readonly { action: HeadsUpAction; word: string; key: string }[] = [
  { action: "fold", word: "Fold", key: "f" },
  { action: "call", word: "Call", key: "c" },
  { action: "raise", word: "Raise", key: "r" },
];
/** The second click of a double click on Deal must not count as a call. */
const ARMING_MS = 400;

type ActionsProps = { hand: HeadsUpHand; pending: string | null; onPlay(action: HeadsUpAction): void };

/** Fold, call or raise, each with its cost, in the place of the main button. */
export function Actions({ hand, pending, onPlay }: ActionsProps) {
  const [isArmed, setArmed] = useState(false);
  const group = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const timer = setTimeout(() => setArmed(true), ARMING_MS);
    // The focused button is gone; keyboard users continue here.
    if (document.activeElement === document.body) group.current?.focus({ preventScroll: true });
    return () => clearTimeout(timer);
  }, []);
  return (
    <DockAction ref={group} role="group" aria-label="Your move" tabIndex={-1} className="grid grid-cols-3 gap-2">
      {ACTIONS.map(({ action, word, key }) => {
        const cost = costCents(hand, action);
        return (
          <Button
            key={action}
            aria-keyshortcuts={key}
            size="large"
            variant={action === "call" ? "primary" : "secondary"}
            className="flex-col gap-0 px-1 leading-5"
            // aria-disabled instead of disabled, which would lose the focus.
            aria-disabled={!isArmed || pending !== null || undefined}
            onClick={() => isArmed && pending === null && onPlay(action)}
          >
            {pending === action ? `${word}…` : word}
            <span className="text-12 font-medium">
              {action === "fold" ? `lose ${formatWire(hand.betAmount)}` : formatDollars(cost)}
            </span>
          </Button>
        );
      })}
    </DockAction>
  );
}
