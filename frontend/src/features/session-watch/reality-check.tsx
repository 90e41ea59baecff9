import { useEffect, useRef } from "react";
import type { SessionSummary } from "@/api/session-summary";
import { Amount, Button, Dialog, Stat } from "@/components";
import { DOUBLE_CLICK_MS } from "@/components/main-button";
import { Link } from "@/lib/address";
import { LIMITS_ADDRESS, minutesText } from "@/lib/limit-texts";
import { centsOf, formatWire } from "@/lib/money";
import { signedInText } from "./session-status";
import { useRealityCheck } from "./use-reality-check";

type RealityCheckProps = Parameters<typeof useRealityCheck>[0] & { onSeeHistory(): void; onSignOut(): void };

/** Reminds the player of the time and the result, at the interval that they have chosen. */
export function RealityCheck({ onSeeHistory, onSignOut, ...options }: RealityCheckProps) {
  const { shown, answer } = useRealityCheck(options);
  if (shown === null) return null;
  return <Shown summary={shown} onAnswered={answer} onSeeHistory={onSeeHistory} onSignOut={onSignOut} />;
}

type ShownProps = { summary: SessionSummary; onAnswered(): void; onSeeHistory(): void; onSignOut(): void };

function Shown({ summary, onAnswered, onSeeHistory, onSignOut }: ShownProps) {
  const { activeMinutes, staked, paid, netResult, realityCheckMinutes } = summary;
  const figures = useRef<HTMLDListElement>(null);
  const openedAt = useRef(0);
  useEffect(() => {
    openedAt.current = performance.now();
  }, []);
  /** A press that was meant for the game answers nothing. */
  const deliberately = (act?: () => void) => () => {
    if (performance.now() - openedAt.current < DOUBLE_CLICK_MS) return;
    onAnswered();
    act?.();
  };
  return (
    <Dialog
      open
      mustAnswer
      onOpenChange={() => undefined}
      // Not a button: Space and Enter can be meant for the game.
      initialFocus={() => figures.current?.focus()}
      title="Reality check"
      description={`You have been signed in for ${signedInText(summary)}.`}
      footer={
        <div className="flex w-full gap-3 max-sm:grid">
          <Button variant="primary" onClick={deliberately()}>
            Keep playing
          </Button>
          <Button onClick={deliberately(onSeeHistory)}>See history</Button>
          <Button className="sm:ml-auto" onClick={deliberately(onSignOut)}>
            Sign out
          </Button>
        </div>
      }
    >
      <dl ref={figures} tabIndex={-1} aria-label="This session" className="grid grid-cols-2 gap-5 outline-none">
        <Stat label="Time played" value={minutesText(activeMinutes)} />
        <Stat label="Result" value={<Amount cents={centsOf(netResult)} signed />} />
        <Stat label="Staked" value={formatWire(staked)} />
        <Stat label="Paid out" value={formatWire(paid)} />
      </dl>
      <p className="mt-5 text-pretty text-13 text-ink-2">
        You asked for this every {minutesText(realityCheckMinutes ?? 0)}. Interval, limits and breaks are in{" "}
        <Link
          to={LIMITS_ADDRESS}
          onClick={deliberately()}
          className="inline-flex min-h-6 items-center underline underline-offset-4 hover:text-ink"
        >
          Settings
        </Link>
        .
      </p>
    </Dialog>
  );
}
