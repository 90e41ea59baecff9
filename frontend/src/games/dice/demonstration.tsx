import { useState } from "react";
import { Button } from "@/components/button";
import { LiveRegion } from "@/components/live-region";
import { SegmentedControl } from "@/components/segmented-control";
import { Slider } from "@/components/slider";
import { cn } from "@/lib/class-names";
import { formatPercent } from "@/lib/format";
import { formatDollars } from "@/lib/money";
import { useReducedMotion } from "@/lib/reduced-motion";
import type { DiceBetType } from "./api";
import { BET_CENTS, type Demonstration, type DemonstrationRoll, useDemonstrationRoll } from "./demonstration-roll";
import { winningNumbers } from "./payout";

type Choice = { target: number; side: DiceBetType };

/** Dice without an account: each roll is computed with the real scheme, in this browser. */
export function DemonstrationDice() {
  const [target, setTarget] = useState(50);
  const [side, setSide] = useState<DiceBetType>("over");
  const { roll, ...state } = useDemonstrationRoll(useReducedMotion());
  const rolled = state.tumbling === null ? (state.rolls.at(-1) ?? null) : null;
  if (state.problem !== "") return <p className="rounded-panel bg-panel p-5 text-14 text-ink-2">{state.problem}</p>;
  return (
    <section aria-label="Demonstration dice" className="overflow-hidden rounded-panel bg-panel">
      <Stage {...state} target={target} side={side} rolled={rolled} />
      <div className="grid gap-3 p-5">
        <SegmentedControl<DiceBetType>
          label="Side"
          value={side}
          onValueChange={setSide}
          options={[
            { value: "over", label: `Over ${target}` },
            { value: "under", label: `${target} or under` },
          ]}
        />
        <Slider label="Target number" value={target} min={1} max={98} onValueChange={setTarget} />
        <Button variant="primary" size="large" onClick={() => void roll(target, side)}>
          Roll
        </Button>
        <Seeds hash={state.hash} rolled={rolled} />
      </div>
      <LiveRegion message={rolled ? `Rolled ${rolled.roll}, ${rolled.isWin ? "a win" : "no win"}.` : ""} />
    </section>
  );
}

type StageProps = Choice & Pick<Demonstration, "tumbling" | "rolls"> & { rolled: DemonstrationRoll | null };

/** The result, and the track with its winning zone and the last rolls. */
function Stage({ target, side, tumbling, rolls, rolled }: StageProps) {
  return (
    <div className="grid gap-6 bg-well p-5">
      <div className="flex min-h-[66px] items-center justify-between gap-4">
        <p
          aria-hidden
          className={cn(
            "display text-64 font-bold",
            rolled?.isWin && "animate-[flash_180ms_var(--ease-house)] text-win",
            rolled === null && "text-ink-3",
          )}
        >
          {tumbling ?? rolled?.roll ?? "?"}
        </p>
        <p className="text-right text-13 text-ink-2">
          {rolled === null
            ? "Roll it. No account, no money."
            : rolled.isWin
              ? `A win: ${formatDollars(BET_CENTS)} pays ${formatDollars(rolled.paidCents)}`
              : "No win"}
          <span className="block text-ink-3">
            {formatPercent(winningNumbers(target, side) / 100)} chance, pays{" "}
            {(99 / winningNumbers(target, side)).toFixed(2)}×
          </span>
        </p>
      </div>
      <Track target={target} side={side} rolls={rolls} marker={tumbling ?? rolled?.roll ?? null} />
    </div>
  );
}

type TrackProps = Choice & { rolls: readonly DemonstrationRoll[]; marker: number | null };

/** Below the slider's knob, so that a roll stands where its number is. */
function Track({ target, side, rolls, marker }: TrackProps) {
  return (
    <div aria-hidden className="relative mt-4 h-2 rounded-full bg-line">
      {rolls.map(({ id, roll, isWin }, index) => (
        <span
          key={id}
          data-testid="past-roll"
          className={cn("absolute -top-4 h-2.5 w-1 -translate-x-1/2 rounded-full", isWin ? "bg-win" : "bg-ink-3")}
          style={{ left: `${roll}%`, opacity: 0.2 + (0.8 * (index + 1)) / rolls.length }}
        />
      ))}
      <div
        className="edge-filled absolute h-2 rounded-full bg-brass"
        style={side === "over" ? { left: `${target}%`, right: 0 } : { left: 0, width: `${target}%` }}
      />
      {marker !== null && (
        <div
          className="absolute inset-0 transition-transform duration-[120ms] ease-house"
          style={{ transform: `translateX(${marker}%)` }}
        >
          <span className="absolute -left-1.5 -top-2 block h-6 w-3 rounded-chip border-2 border-well bg-ink" />
        </div>
      )}
    </div>
  );
}

/** The heights are reserved, so that nothing moves when a hash or a seed is shown. */
function Seeds({ hash, rolled }: { hash: string | null; rolled: DemonstrationRoll | null }) {
  const value = "min-h-8 break-all font-mono text-ink-2 max-[22.9rem]:min-h-12";
  return (
    <dl className="grid gap-2 text-12 text-ink-3">
      <div>
        <dt>Hash of the seed that decides the next roll</dt>
        <dd className={value}>{hash ?? "…"}</dd>
      </div>
      <div>
        <dt>The hash shown before the last roll</dt>
        <dd className={value}>{rolled?.hash ?? "–"}</dd>
      </div>
      <div>
        <dt>The seed behind it</dt>
        <dd className={value}>{rolled?.serverSeed ?? "revealed after the roll"}</dd>
      </div>
    </dl>
  );
}
