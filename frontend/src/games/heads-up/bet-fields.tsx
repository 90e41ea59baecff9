import { BetAmountField, DockAmount } from "@/components";
import { BetOptions } from "@/components/bet-options";
import { StakePresets } from "@/components/stake-presets";
import { TurboSwitch } from "@/components/turbo-switch";
import type { Refusal } from "@/lib/bet-rules";
import { MAX_CENTS, MIN_CENTS, STEP_CENTS } from "./rules";

type BetFieldsProps = {
  value: string;
  balanceCents: number;
  isLocked: boolean;
  refusal: Refusal | null;
  onChange(value: string): void;
};

/** The opening bet with its quick amounts, and how fast the cards are shown. */
export function BetFields({ value, balanceCents, isLocked, refusal, onChange }: BetFieldsProps) {
  const limits = { balanceCents, minimumCents: MIN_CENTS, maximumCents: MAX_CENTS, stepCents: STEP_CENTS };
  return (
    <>
      <DockAmount>
        <BetAmountField
          label="Opening bet"
          hint="From $5.00, in steps of $5.00."
          value={value}
          onChange={onChange}
          {...limits}
          isLocked={isLocked}
          refusal={refusal}
        />
      </DockAmount>
      <BetOptions summary="In steps of $5.00">
        <StakePresets onChange={onChange} {...limits} isLocked={isLocked} />
        <TurboSwitch />
      </BetOptions>
    </>
  );
}
