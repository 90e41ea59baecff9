import { ShieldCheck } from "lucide-react";
import { useCallback, useMemo, useState } from "react";
import { useSession } from "@/api/session";
import { BetForm, Button, dismissErrors, LiveRegion, toast } from "@/components";
import { SoundButton } from "@/components/sound-button";
import { GameButton } from "@/components/game-button";
import type { GameProps } from "@/games/definition";
import { BetsTable } from "@/games/rounds/bets-table";
import { recordOf } from "@/games/rounds/game-rounds";
import { useOwnRounds } from "@/games/rounds/use-own-rounds";
import { type Refusal, withAmount } from "@/lib/bet-rules";
import { cardNames } from "@/lib/cards";
import { useHotkeys } from "@/lib/hotkeys";
import { centsOf, parseCents, wireAmount } from "@/lib/money";
import { playSound } from "@/lib/sound";
import { Actions, ACTIONS } from "./actions";
import type { HeadsUpAction, HeadsUpHand } from "./api";
import { BetFields } from "./bet-fields";
import { HeadsUpStage } from "./heads-up-stage";
import { HeadsUpTrainer } from "./heads-up-trainer";
import { headsUpRounds } from "./rounds";
import { DEFAULT_BET, ending, MAX_CENTS, refuseAction, refuseDeal } from "./rules";
import { useHeadsUp } from "./use-heads-up";

/** Shows the refusal, if there is one. */
function isRefused(refusal: Refusal | null): boolean {
  if (refusal) toast({ ...refusal, variant: "destructive" });
  return refusal !== null;
}

/** Hold'em against a single opponent: the house. */
export function HeadsUpGame({ closed, onVerifyRound, onOpenFairness }: GameProps) {
  const { user } = useSession();
  const [amount, setAmount] = useState(DEFAULT_BET);
  const { state, isReady, announcement, rounds, deal, play, newGame } = useTable();
  const { phase, hand, pending } = state;
  const balanceCents = user ? centsOf(user.balance) : 0;
  // Errors are shown only after the first interaction.
  const [isChecked, setChecked] = useState(false);
  const refusal = refuseDeal(amount, { balanceCents, maximumCents: MAX_CENTS });
  const isLocked = phase === "betting" || pending !== null;

  function onMain() {
    if (phase === "complete") newGame();
    else onDeal();
  }
  /** Deals a hand, also directly after a finished one. */
  function onDeal() {
    if (isLocked || !isReady || closed) return;
    setChecked(true);
    if (isRefused(refusal)) return;
    dismissErrors();
    playSound("bet");
    newGame();
    void deal(wireAmount(parseCents(amount) ?? 0));
  }
  useHotkeys([
    ...ACTIONS.map(({ action, word, key }) => ({
      key,
      label: word,
      worksInLockedField: true,
      run() {
        if (phase === "betting" && pending === null) onPlay(action);
        return phase === "betting";
      },
    })),
    {
      key: "d",
      label: "Deal again with the same bet",
      run() {
        if (phase === "complete") onDeal();
        return phase === "complete";
      },
    },
  ]);
  function onPlay(action: HeadsUpAction) {
    if (hand && !isRefused(refuseAction(hand, action, balanceCents))) void play(action);
  }
  return (
    <div className="grid gap-4">
      <section aria-label="Heads-up hold'em" className="overflow-clip rounded-panel bg-panel">
        <header className="flex items-center justify-between gap-x-4 border-b border-line py-1 pl-4 pr-2 low:py-0 lg:py-2">
          <h2 className="display text-20 font-bold max-lg:sr-only">Heads-up hold'em</h2>
          <div className="flex shrink-0">
            {phase === "complete" && hand && (
              <Button variant="ghost" size="small" onClick={() => onVerifyRound(hand.roundId)}>
                Verify
              </Button>
            )}
            <SoundButton />
            <Button variant="ghost" size="small" onClick={onOpenFairness}>
              <ShieldCheck aria-hidden className="size-4" />
              <span className="max-sm:sr-only">Provably fair</span>
            </Button>
          </div>
        </header>
        <div className="grid grid-cols-[minmax(0,1fr)] lg:grid-cols-[304px_minmax(0,1fr)]">
          <BetForm
            className="order-2 grid content-start gap-4 p-4 lg:order-1"
            onPlay={onDeal}
            onSubmit={() => undefined}
          >
            <BetFields
              value={phase === "betting" && hand ? hand.betAmount : amount}
              balanceCents={balanceCents}
              isLocked={isLocked}
              refusal={isChecked && !isLocked ? refusal : null}
              onChange={(next) => {
                setAmount(next);
                setChecked(true);
              }}
            />
            {phase === "betting" && hand ? (
              <Actions key={hand.roundId} hand={hand} pending={pending} onPlay={onPlay} />
            ) : (
              <GameButton
                data-testid="heads-up-action"
                stage={phase}
                isOff={!isReady || pending !== null || (closed !== "" && phase === "idle")}
                onPress={onMain}
              >
                {phase === "complete"
                  ? "New Game"
                  : closed || (pending ? "Dealing..." : withAmount("Deal for", amount))}
              </GameButton>
            )}
            <HowItPays />
            <p className="text-13 text-ink-3 max-lg:hidden">The keys F, C and R fold, call and raise.</p>
          </BetForm>
          <div className="order-1 min-w-0 lg:order-2">
            <HeadsUpStage hand={hand} isDealing={pending === "deal"} />
          </div>
        </div>
        <LiveRegion message={announcement} />
      </section>
      <BetsTable
        game={headsUpRounds}
        rounds={rounds}
        inPlay={phase === "betting" ? hand : null}
        onVerifyRound={onVerifyRound}
      />
      {phase === "complete" && hand && <HeadsUpTrainer key={hand.roundId} hand={hand} />}
    </div>
  );
}

function HowItPays() {
  return (
    <ul className="grid list-disc gap-1.5 pl-4 text-13 text-ink-2">
      <li>You and the house post the bet: the pot starts at twice the bet.</li>
      <li>A call adds one bet, a raise two. Folding loses the bet.</li>
      <li>With a pair of threes or better the house matches it; otherwise it is returned.</li>
      <li>The best five of seven cards win the pot. Equal hands: all bets are returned.</li>
    </ul>
  );
}

/** The hand in play and its announcements. */
function useTable() {
  const { updateBalance, refresh } = useSession();
  const [announcement, setAnnouncement] = useState("");
  const { rounds, add } = useOwnRounds(headsUpRounds);
  const onEnded = useCallback(
    (hand: HeadsUpHand) => {
      const { title, description } = ending(hand);
      playSound("card");
      // The toast announces the result; this announces the cards that were hidden.
      setAnnouncement(`Board: ${cardNames(hand.board)}. The house has ${cardNames(hand.houseCards ?? [])}.`);
      const { roundId, stakedAmount, winAmount, outcome, action } = hand;
      add(
        recordOf({
          id: roundId,
          gameType: "poker",
          pokerGame: "headsUp",
          betAmount: stakedAmount,
          winAmount,
          outcome: `${outcome ?? "loss"} (heads-up)`,
          ...(action !== null && { action }),
        }),
      );
      toast({ title, description });
    },
    [add],
  );
  const handlers = useMemo(
    () => ({
      onBalance: updateBalance,
      onBalanceUnknown: () => void refresh(),
      onDealt(hand: HeadsUpHand) {
        playSound("card");
        setAnnouncement(
          `You have ${cardNames(hand.playerCards)}. The flop: ${cardNames(hand.board)}. ${hand.playerHand}. Fold, call or raise.`,
        );
      },
      onEnded,
      onRefused: (description: string) => toast({ title: "Error", description, variant: "destructive" }),
    }),
    [updateBalance, refresh, onEnded],
  );
  return { ...useHeadsUp(handlers), announcement, rounds };
}
