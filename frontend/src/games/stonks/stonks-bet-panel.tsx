import { TimedBetForm } from "@/games/timed/timed-bet-form";
import type { BetPanelProps } from "@/games/timed/timed-game-spec";
import { isByHand, profitCents, type StonksForm, type StonksRefusals } from "./rules";

/** Amount, auto-sell amount, and the main button. */
export function StonksBetPanel(panel: BetPanelProps<StonksForm, StonksRefusals>) {
  const { form, refusals, onChange } = panel;
  return (
    <TimedBetForm
      panel={panel}
      auto={{
        label: "Auto-Sell profit target ($)",
        hint: "Sells at this value; leave empty for none.",
        error: refusals.target?.description,
        value: form.target,
        min: 0.01,
        onChange: (text) => onChange({ ...form, target: text }),
      }}
      profit={profitCents(form) ?? (isByHand(form) ? "your choice" : "–")}
      facts={
        <>
          <dt className="text-ink-3">A new price</dt>
          <dd className="text-right">every 0.5 s</dd>
          <dt className="text-ink-3">Market closes</dt>
          <dd className="text-right">after 240 prices</dd>
        </>
      }
      summary={form.target.trim() === "" ? "No auto-sell" : `Auto-sell at ${form.target.trim()}`}
      keys="Enter in a field starts trading. While trading, the key C sells."
    />
  );
}
