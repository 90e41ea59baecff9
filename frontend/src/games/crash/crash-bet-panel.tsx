import { ExtraCent, SegmentedControl } from "@/components";
import { TimedBetForm } from "@/games/timed/timed-bet-form";
import type { BetPanelProps } from "@/games/timed/timed-game-spec";
import { stakeOf } from "@/lib/bet-rules";
import { formatPercent } from "@/lib/format";
import type { Curve } from "./curve";
import { type CrashForm, type CrashRefusals, extraCent, parseAuto, profitCents, shownMultiplier } from "./rules";

const CURVES: { value: Curve; label: string }[] = [
  { value: "linear", label: "Linear" },
  { value: "exponential", label: "Exponential" },
];

/** Amount, automatic cash-out, curve, and the main button. */
export function CrashBetPanel(panel: BetPanelProps<CrashForm, CrashRefusals>) {
  const { form, refusals, isLocked, onChange } = panel;
  const auto = parseAuto(form.auto);
  const isByHand = auto === null && stakeOf(form.amount) !== null;
  return (
    <TimedBetForm
      panel={panel}
      auto={{
        label: "Auto cash-out multiplier",
        error: refusals.auto === null ? undefined : `${refusals.auto.title}. ${refusals.auto.description}`,
        value: form.auto,
        min: 1.1,
        onChange: (text) => onChange({ ...form, auto: text }),
      }}
      profit={profitCents(form) ?? (isByHand ? "your choice" : "–")}
      facts={
        <>
          <ExtraCent chance={extraCent(form)} />
          <dt className="text-ink-3">Chance to reach it</dt>
          <dd className="text-right">{auto === null || Number.isNaN(auto) ? "–" : formatPercent(99 / auto)}</dd>
          <dt className="text-ink-3">Growth</dt>
          <dd className="text-right">{form.curve === "linear" ? "+0.70 a second" : "×1.1 a second"}</dd>
        </>
      }
      summary={
        auto === null
          ? "No auto cash-out"
          : Number.isNaN(auto)
            ? "Invalid auto cash-out"
            : `Auto cash-out ${shownMultiplier(auto)} · ${formatPercent(99 / auto)} reach it`
      }
      keys="Enter in a field places the bet. While playing, the key C cashes out."
    >
      <SegmentedControl<Curve>
        label="Growth of the multiplier"
        value={form.curve}
        onValueChange={(curve) => onChange({ ...form, curve })}
        options={CURVES}
        isLocked={isLocked}
      />
    </TimedBetForm>
  );
}
