import { ShieldCheck } from "lucide-react";
import { type Dispatch, type SetStateAction, useCallback, useEffect, useState } from "react";
import { FETCH_ONCE, useQuery } from "@/api/hooks";
import { useSession } from "@/api/session";
import { Button, ResultChips, Tabs, TabsContent, TabsList, TabsTrigger, toast } from "@/components";
import type { GameProps } from "@/games/definition";
import { recordOf } from "@/games/rounds/game-rounds";
import { OwnHistory } from "@/games/rounds/own-history";
import { OwnRounds } from "@/games/rounds/own-rounds";
import { useOwnRounds } from "@/games/rounds/use-own-rounds";
import { facts } from "@/lib/facts";
import { centsOf, formatChange, formatWire, parseCents, wireAmount } from "@/lib/money";
import { useReducedMotion } from "@/lib/reduced-motion";
import { DiceBetPanel } from "./dice-bet-panel";
import { DiceStage } from "./dice-stage";
import { diceRounds } from "./rounds";
import { checkForm, type DiceForm, parseTarget, refuseBet } from "./rules";
import { profitOf, type Rolled, useDiceBet } from "./use-dice-bet";

/** Used until the server's settings are loaded. */
const DEFAULT_FORM: DiceForm = {
  amount: wireAmount(facts.dice.bet_default_cents),
  target: String(facts.dice.target_default),
  side: "over",
};

export function DiceGame({ isPaused, onVerifyRound, onOpenFairness }: GameProps) {
  const { user, updateBalance } = useSession();
  const [form, setForm] = useState<DiceForm>(DEFAULT_FORM);
  const maximumCents = useDiceSettings(setForm);
  const [tab, setTab] = useState("bet");
  const { rounds, chips, add } = useOwnRounds(diceRounds);
  const [lastTarget, setLastTarget] = useState<number>(facts.dice.target_default);
  // Errors are shown only after the first interaction.
  const [isChecked, setChecked] = useState(false);
  const isStill = useReducedMotion();

  const onSettled = useCallback(
    ({ bet, result }: Rolled) => {
      updateBalance(result);
      const { roundId, diceResult, winAmount, isWin } = result;
      const { betAmount, targetNumber, betType } = bet;
      add(
        recordOf({
          id: roundId,
          gameType: "dice",
          betAmount,
          winAmount,
          outcome: isWin ? "win" : "loss",
          diceResult,
          targetNumber,
          betType,
        }),
      );
      const description = result.isWin
        ? `You rolled ${result.diceResult} and won ${formatWire(result.winAmount)} (${formatChange(profitOf({ bet, result }))})`
        : `You rolled ${result.diceResult} and lost ${formatWire(bet.betAmount)}`;
      toast({ title: result.isWin ? "You Won!" : "You Lost", description });
    },
    [add, updateBalance],
  );
  const { state, place } = useDiceBet({ isStill, onSettled });

  const target = parseTarget(form.target) ?? lastTarget;
  const limits = { balanceCents: user ? centsOf(user.balance) : 0, maximumCents };
  function change(next: DiceForm) {
    setForm(next);
    setChecked(true);
    setLastTarget(parseTarget(next.target) ?? lastTarget);
  }
  function submit() {
    if (state.phase === "rolling" || isPaused) return;
    setChecked(true);
    const refusal = refuseBet(form, limits);
    if (refusal) {
      toast({ ...refusal, variant: "destructive" });
      return;
    }
    const betAmount = wireAmount(parseCents(form.amount) ?? 0);
    void place({ betAmount, targetNumber: target, betType: form.side });
  }

  return (
    <Tabs value={tab} onValueChange={setTab} className="grid grid-cols-[minmax(0,1fr)] gap-3 lg:gap-4">
      <div className="flex items-center justify-between gap-2">
        <TabsList className="min-w-0 max-w-[320px] flex-1">
          <TabsTrigger value="bet">Place Bet</TabsTrigger>
          <TabsTrigger value="history">History</TabsTrigger>
        </TabsList>
        <Button variant="ghost" size="small" className="shrink-0 max-sm:w-11" onClick={onOpenFairness}>
          <ShieldCheck aria-hidden className="size-4" />
          <span className="max-sm:sr-only">Provably fair</span>
        </Button>
      </div>
      <TabsContent value="bet" forceMount className="overflow-clip rounded-panel bg-panel data-[state=inactive]:hidden">
        <div className="grid grid-cols-[minmax(0,1fr)] lg:grid-cols-[304px_minmax(0,1fr)]">
          <div className="order-2 lg:order-1">
            <DiceBetPanel
              form={form}
              lastTarget={target}
              limits={limits}
              refusals={isChecked ? checkForm(form, limits) : { amount: null, target: null }}
              isRolling={state.phase === "rolling"}
              isPaused={isPaused}
              onChange={change}
              onSubmit={submit}
            />
          </div>
          <div className="stage order-1 grid min-w-0 grid-cols-[minmax(0,1fr)] grid-rows-[auto_1fr] bg-well p-3 lg:order-2">
            <ResultChips label="Last rolls" results={chips} onSelect={onVerifyRound} />
            <DiceStage target={parseTarget(form.target)} side={form.side} state={state} />
          </div>
        </div>
      </TabsContent>
      <TabsContent value="history">
        <OwnHistory game={diceRounds} noun="rolls" onVerifyRound={onVerifyRound} />
      </TabsContent>
      {tab === "bet" && <OwnRounds game={diceRounds} rounds={rounds} onVerifyRound={onVerifyRound} />}
    </Tabs>
  );
}

/** Replaces our defaults with the server's once they are loaded; an error is only logged. */
function useDiceSettings(setForm: Dispatch<SetStateAction<DiceForm>>): number {
  const { data, error } = useQuery("/api/dice-settings", {}, FETCH_ONCE);
  useEffect(() => {
    // Input that was already changed is kept.
    if (data)
      setForm((form) =>
        form === DEFAULT_FORM
          ? { amount: data.betAmount, target: String(data.targetNumber), side: data.betType }
          : form,
      );
  }, [data, setForm]);
  useEffect(() => {
    if (error) console.warn("The dice settings could not be loaded", error);
  }, [error]);
  return data ? centsOf(data.maxBet) : facts.dice.bet_maximum_cents;
}
