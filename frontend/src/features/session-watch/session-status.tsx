import { useEffect, useState } from "react";
import { houseTime, type SessionSummary, useSessionSummary } from "@/api/session-summary";
import { cn } from "@/lib/class-names";
import { minutesText } from "@/lib/limit-texts";
import { centsOf, formatChange, shortDollars } from "@/lib/money";

const CLOCK = new Intl.DateTimeFormat("en-US", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const TICK_MS = 1000;
/** From here on there is no room for cents. */
const SHORT_FROM_CENTS = 1_000_000;

/** The text of a clock that ticks by itself. */
function useClock(): string {
  const [text, setText] = useState(() => CLOCK.format(Date.now()));
  useEffect(() => {
    // The same text again renders nothing.
    const timer = setInterval(() => setText(CLOCK.format(Date.now())), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return text;
}

export const resultText = (cents: number): string =>
  Math.abs(cents) < SHORT_FROM_CENTS ? formatChange(cents) : `${cents > 0 ? "+" : ""}${shortDollars(cents)}`;

/** "42 min": since the player signed in. */
export const signedInText = (summary: SessionSummary): string =>
  minutesText(Math.max(0, Math.floor((houseTime(summary) - Date.parse(summary.since)) / 60_000)));

/**
 * The time and the result of the session. It takes no room of its own: it stands below the name of the house. It is not
 * a live region, because it changes with every bet.
 */
export function SessionStatus() {
  const clock = useClock();
  const { data: summary } = useSessionSummary();
  const cents = summary === undefined ? null : centsOf(summary.netResult);
  return (
    <p
      data-testid="session-status"
      className="pointer-events-none absolute bottom-0.5 left-1 whitespace-nowrap text-12 leading-3 text-ink-2"
    >
      <span className="sr-only">Time </span>
      {clock}
      {cents !== null && (
        <>
          <span aria-hidden> · </span>
          <span className="sr-only">, result of this session </span>
          <span className={cn(cents > 0 && "text-win", cents < 0 && "text-loss")}>{resultText(cents)}</span>
        </>
      )}
    </p>
  );
}
