import { Button, Slider } from "@/components";
import { Switch } from "@/components/switch";
import { cn } from "@/lib/class-names";
import { formatDollars } from "@/lib/money";
import { BETS } from "./bets";

type BetAreaProps = {
  dollars: number;
  isLocked: boolean;
  onChange(dollars: number): void;
  onMaxBet(isOn: boolean): void;
  /** After a hand: makes the bet editable, without dealing the next one. */
  onUnlock?(): void;
};

/** The bet's slider and the Max Bet switch; they are enabled between hands only. */
export function BetArea({ dollars, isLocked, onChange, onMaxBet, onUnlock }: BetAreaProps) {
  const isMaxBet = dollars === BETS.maximum;
  // Hidden controls keep their place, so that the main button does not move.
  const controls = cn(onUnlock && "invisible");
  return (
    <div className="relative">
      <fieldset
        aria-disabled={isLocked}
        className={cn(
          "grid min-w-0 max-lg:grid-cols-[auto_minmax(0,1fr)_auto] max-lg:items-center max-lg:gap-x-3 lg:gap-1 short:grid-cols-1 transition-opacity duration-[180ms]",
          isLocked && "opacity-55",
        )}
      >
        <legend className="sr-only">Bet</legend>
        <div className="flex items-baseline justify-between gap-3">
          <span className="text-13 font-medium text-ink-2 max-lg:sr-only">Bet Amount</span>
          <span data-testid="bet" className="text-16 font-semibold">
            {formatDollars(dollars * 100)}
          </span>
        </div>
        <div className={controls}>
          <Slider
            label="Bet Amount"
            value={dollars}
            min={BETS.minimum}
            max={BETS.maximum}
            isLocked={isLocked}
            onValueChange={onChange}
          />
        </div>
        <div aria-hidden className={cn("flex justify-between text-12 text-ink-3 max-lg:hidden", controls)}>
          <span>${BETS.minimum}</span>
          <span>${BETS.maximum}</span>
        </div>
        <div className={controls}>
          <Switch label="Max Bet" checked={isMaxBet} onCheckedChange={onMaxBet} isLocked={isLocked} />
        </div>
      </fieldset>
      {onUnlock && (
        <Button
          className="absolute bottom-0 right-0 h-11 max-lg:left-[4.5rem] lg:w-full short:left-0"
          onClick={onUnlock}
        >
          Change bet
        </Button>
      )}
    </div>
  );
}
