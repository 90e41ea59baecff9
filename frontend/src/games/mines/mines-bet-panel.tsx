import { BetAmountField, BetForm, DockAmount, Field, Select } from "@/components";
import { BetOptions } from "@/components/bet-options";
import { GameButton } from "@/components/game-button";
import { RepeatBet, StakePresets } from "@/components/stake-presets";
import { TurboSwitch } from "@/components/turbo-switch";
import type { Refusal } from "@/lib/bet-rules";
import { formatPercent } from "@/lib/format";
import { formatWire } from "@/lib/money";
import { MINE_COUNTS, type MinesForm, type MinesLimits, payoutText, type Rung, safeChance } from "./rules";
import { CELLS } from "./multiplier";

type MinesBetPanelProps = {
  form: MinesForm;
  limits: MinesLimits;
  refusal: Refusal | null;
  isLocked: boolean;
  rungs: readonly Rung[];
  action: { stage: string; label: string; isOff: boolean };
  onChange(form: MinesForm): void;
  /** Enter in a field: starts a round, and never ends one. */
  onPlay(): void;
  onMain(): void;
  /** The last bet; null before the first one. */
  lastBet: MinesForm | null;
  onRepeat(): void;
};

const OPTIONS = MINE_COUNTS.map((mines) => ({
  value: String(mines),
  label: `${mines} ${mines === 1 ? "mine" : "mines"}`,
  detail: `${CELLS - mines} safe`,
}));

/** Amount, number of mines, and the main button. */
export function MinesBetPanel({
  form,
  limits,
  refusal,
  isLocked,
  rungs,
  action,
  onChange,
  onPlay,
  onMain,
  lastBet,
  onRepeat,
}: MinesBetPanelProps) {
  const [first] = rungs;
  const last = rungs.at(-1);
  return (
    <BetForm onPlay={onPlay} onSubmit={() => undefined}>
      <DockAmount>
        <BetAmountField
          value={form.amount}
          onChange={(amount) => onChange({ ...form, amount })}
          {...limits}
          isLocked={isLocked}
          refusal={refusal}
        />
      </DockAmount>
      <BetOptions summary={`${form.mines} ${form.mines === 1 ? "mine" : "mines"}, ${CELLS - form.mines} safe`}>
        <div className="grid gap-1">
          <StakePresets onChange={(amount) => onChange({ ...form, amount })} {...limits} isLocked={isLocked} />
          <RepeatBet
            amount={lastBet === null ? null : formatWire(lastBet.amount)}
            isOff={isLocked}
            onRepeat={onRepeat}
          />
        </div>
        <Field label="Number of mines">
          {(ids) => (
            <Select
              {...ids}
              label="Number of mines"
              value={String(form.mines)}
              disabled={isLocked}
              onValueChange={(mines) => onChange({ ...form, mines: Number(mines) })}
              options={OPTIONS}
            />
          )}
        </Field>
        <TurboSwitch />
      </BetOptions>
      <GameButton stage={action.stage} isOff={action.isOff} onPress={onMain}>
        {action.label}
      </GameButton>
      <dl className="grid grid-cols-[1fr_auto] gap-y-1.5 text-14">
        <dt className="text-ink-3">First cell is safe</dt>
        <dd className="text-right">{formatPercent(safeChance(form.mines, 0))}</dd>
        <dt className="text-ink-3">First safe cell pays</dt>
        <dd className="text-right">{payoutText(first?.payoutCents ?? null)}</dd>
        <dt className="text-ink-3">
          {last && last.safeCells < CELLS - form.mines
            ? `After ${last.safeCells} safe, paid at once`
            : "All safe cells pay"}
        </dt>
        <dd className="text-right">{payoutText(last?.payoutCents ?? null)}</dd>
      </dl>
      <p className="text-13 text-ink-3 max-lg:hidden">
        Arrow keys move across the grid, Enter reveals a cell. While playing, the key C cashes out.
      </p>
    </BetForm>
  );
}
