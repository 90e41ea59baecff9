import { useEffect, useRef, useState } from "react";
import { Amount } from "@/components/amount";
import { LiveRegion } from "@/components/live-region";
import { formatDollars } from "@/lib/money";
import { reasonText } from "./rules";
import type { RunState } from "./run";
import type { Autobet } from "./use-autobet";
import { spokenText } from "./words";

/** How often the progress is announced while a run goes on. */
const ANNOUNCE_MS = 10_000;

/** What a run has come to, and why it is paused or ended. */
export default function AutobetProgress({ autobet: { run, rounds } }: { autobet: Autobet }) {
  const announcement = useAnnouncement(run);
  return (
    <div data-testid="autobet-progress" className="grid gap-3">
      {run !== null && (
        <>
          <Message run={run} />
          <dl className="grid grid-cols-[1fr_auto] gap-y-1.5 text-14">
            <dt className="text-ink-3">Rounds</dt>
            <dd className="text-right">{rounds === null ? run.totals.rounds : `${run.totals.rounds} of ${rounds}`}</dd>
            <dt className="text-ink-3">Won and lost</dt>
            <dd className="text-right">
              {run.totals.wins} and {run.totals.losses}
            </dd>
            <dt className="text-ink-3">Staked</dt>
            <dd className="text-right">{formatDollars(run.totals.stakedCents)}</dd>
            <dt className="text-ink-3">Profit of this run</dt>
            <dd className="text-right font-semibold">
              <Amount cents={run.totals.profitCents} signed />
            </dd>
          </dl>
        </>
      )}
      <LiveRegion message={announcement} />
    </div>
  );
}

function Message({ run: { phase, pause, stop } }: { run: RunState }) {
  const text =
    stop !== null
      ? `Stopped: ${reasonText(stop)}`
      : pause !== null
        ? `Paused: ${pause}`
        : phase === "stopping"
          ? "Stopping after this round."
          : null;
  if (text === null) return null;
  return (
    <p data-testid="autobet-message" className="rounded-control border border-line bg-raised px-3 py-2 text-14">
      {text}
    </p>
  );
}

/** Pauses and ends at once, the progress in between only now and then. */
function useAnnouncement(run: RunState | null): string {
  const [progress, setProgress] = useState("");
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  const isRunning = run !== null && run.phase !== "stopped" && run.pause === null;
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => setProgress(latest.current ? spokenText(latest.current) : ""), ANNOUNCE_MS);
    return () => {
      clearInterval(timer);
      setProgress("");
    };
  }, [isRunning]);
  if (run === null) return "";
  return isRunning ? progress : spokenText(run);
}
