import { Amount } from "@/components/amount";
import { LatePart } from "@/components/late-part";
import { LoadedPart } from "@/components/loaded-part";
import { SegmentedControl } from "@/components/segmented-control";
import { lazyPart } from "@/lib/lazy-part";
import type { Autobet, AutobetMode } from "./use-autobet";

// Loaded when autobet is chosen: most bets are placed by hand.
const Fields = lazyPart(() => import("./autobet-fields"));
const Progress = lazyPart(() => import("./autobet-progress"));

type PartProps = { autobet: Autobet };

/** Bets by hand or by autobet. */
export function ModeControl({ autobet, isLocked }: PartProps & { isLocked: boolean }) {
  return (
    <SegmentedControl<AutobetMode>
      label="Mode"
      value={autobet.mode}
      onValueChange={autobet.setMode}
      isLocked={isLocked || autobet.isRunning}
      options={[
        { value: "manual", label: "Manual" },
        { value: "auto", label: "Auto" },
      ]}
    />
  );
}

export function AutobetFields({ autobet }: PartProps) {
  if (autobet.mode === "manual") return null;
  return (
    // As high as the fields: the button below must not move under the pointer.
    <LatePart title="Autobet could not be loaded" className="h-[308px]">
      <Fields autobet={autobet} />
    </LatePart>
  );
}

export function AutobetProgress({ autobet }: PartProps) {
  if (autobet.mode === "manual") return null;
  return (
    <LoadedPart isWanted={autobet.run !== null}>
      <Progress autobet={autobet} />
    </LoadedPart>
  );
}

/** The terms of the next bet, or what autobet has come to. */
export function BetSummary({ autobet: { mode, run, rounds }, terms }: PartProps & { terms: string }) {
  if (mode === "manual" || run === null) return terms;
  const { totals, pause, phase } = run;
  const state = phase === "stopped" ? "Stopped" : pause === null ? "Auto" : "Paused";
  const played = rounds === null ? `${totals.rounds}` : `${totals.rounds} of ${rounds}`;
  return (
    <>
      {state} · {played} · <Amount cents={totals.profitCents} signed className="font-semibold" />
    </>
  );
}
