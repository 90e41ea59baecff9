import { Pencil, RotateCcw } from "lucide-react";
import { useState } from "react";
import { useHotkeys } from "@/lib/hotkeys";
import { lazyPart } from "@/lib/lazy-part";
import { formatDollars, wireAmount } from "@/lib/money";
import { useRemembered } from "@/lib/remembered";
import { presetText, stakePresets } from "@/lib/stake-presets";
import { Button, IconButton } from "./button";
import { LoadedPart } from "./loaded-part";

const PresetDialog = lazyPart(() => import("./preset-dialog"));

type StakePresetsProps = {
  onChange(amount: string): void;
  balanceCents: number;
  maximumCents: number;
  minimumCents?: number;
  /** What every amount is a multiple of. */
  stepCents?: number;
  isLocked?: boolean;
};

/** Four amounts of the player's choice, one press each. */
export function StakePresets({
  onChange,
  balanceCents,
  maximumCents,
  minimumCents = 1,
  stepCents = 1,
  isLocked = false,
}: StakePresetsProps) {
  const presets = useRemembered(stakePresets);
  const [isEditing, setEditing] = useState(false);
  const largest = Math.min(balanceCents, maximumCents);
  return (
    <div role="group" aria-label="Quick amounts" className="flex items-center gap-1">
      {presets.map((cents, index) => {
        const isOff = isLocked || cents < minimumCents || cents > largest || cents % stepCents !== 0;
        return (
          <Button
            // Two of them can be the same amount.
            // oxlint-disable-next-line react/no-array-index-key
            key={index}
            variant="ghost"
            size="small"
            className="min-w-11 flex-1 px-1 aria-disabled:cursor-not-allowed aria-disabled:opacity-55"
            aria-label={`Bet ${formatDollars(cents)}`}
            aria-disabled={isOff || undefined}
            onClick={() => !isOff && onChange(wireAmount(cents))}
          >
            {presetText(cents)}
          </Button>
        );
      })}
      <IconButton
        label="Change the quick amounts"
        icon={<Pencil aria-hidden className="size-4" />}
        className="target lg:h-9"
        onClick={() => setEditing(true)}
      />
      {isEditing && (
        <LoadedPart isWanted onFailed={() => setEditing(false)}>
          <PresetDialog onClose={() => setEditing(false)} />
        </LoadedPart>
      )}
    </div>
  );
}

type RepeatBetProps = {
  /** The last bet's amount; null before the first bet. */
  amount: string | null;
  isOff: boolean;
  onRepeat(): void;
};

/** Places the last bet again, on the same terms. */
export function RepeatBet({ amount, isOff, onRepeat }: RepeatBetProps) {
  const isDisabled = isOff || amount === null;
  useHotkeys([
    {
      key: "d",
      label: "Repeat the last bet",
      run() {
        if (isDisabled) return false;
        onRepeat();
        return true;
      },
    },
  ]);
  return (
    <Button
      size="small"
      className="w-full aria-disabled:cursor-not-allowed aria-disabled:opacity-55"
      aria-disabled={isDisabled || undefined}
      onClick={() => !isDisabled && onRepeat()}
    >
      <RotateCcw aria-hidden className="size-4" />
      {amount === null ? "Repeat the last bet" : `Repeat ${amount}`}
    </Button>
  );
}
