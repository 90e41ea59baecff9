import { Info, ListOrdered, ShieldCheck } from "lucide-react";
import { useCallback, useId, useMemo, useRef, useState } from "react";
import { useSession } from "@/api/session";
import { Amount, Button, DockAmount, dismissErrors, LiveRegion, toast } from "@/components";
import { SoundButton } from "@/components/sound-button";
import { BetOptions } from "@/components/bet-options";
import { LoadedPart } from "@/components/loaded-part";
import { GameButton } from "@/components/game-button";
import { TurboSwitch } from "@/components/turbo-switch";
import type { GameProps } from "@/games/definition";
import { BetsTable } from "@/games/rounds/bets-table";
import { recordOf } from "@/games/rounds/game-rounds";
import { useOwnRounds } from "@/games/rounds/use-own-rounds";
import { cardNames } from "@/lib/cards";
import { lazyPart } from "@/lib/lazy-part";
import { centsOf, formatWire } from "@/lib/money";
import { playSound } from "@/lib/sound";
import { useTurbo } from "@/lib/turbo";
import type { PokerHand } from "./api";
import { BetArea } from "./bet-area";
import { BETS, betOf } from "./bets";
import { rankWords } from "./paytable";
import { PokerStage } from "./poker-stage";
import { videoPokerRounds } from "./rounds";
import { type GameState, isBusy, type Stage } from "./state";
import { usePokerKeys } from "./use-poker-keys";
import { useVideoPoker } from "./use-video-poker";

// It follows the first hand.
const HandTrainer = lazyPart(() => import("./hand-trainer"));

export function PokerGame({ closed, onVerifyRound, onOpenFairness }: GameProps) {
  const { user } = useSession();
  const game = useRef<HTMLElement>(null);
  const payoutsId = useId();
  const [isPayoutsOpen, setPayoutsOpen] = useState(true);
  const { state, isReady, announcement, rounds, chips, deal, toggle, draw, newGame } = usePokerTable();
  const { bet, setDollars, setMaxBet } = useBet();
  const { stage, hand } = state;
  const isTurboOn = useTurbo();

  // The current hand keeps the bet it was dealt with.
  const shownDollars = hand ? centsOf(hand.betAmount) / 100 : bet;

  function onDeal() {
    if (!isReady || closed) return;
    dismissErrors();
    playSound("bet");
    void deal(betOf(shownDollars));
  }
  /** Clears the table; the next bet is the last one. */
  function onClear() {
    setDollars(shownDollars);
    newGame();
  }
  function onMain() {
    if (stage === "RESULT") onClear();
    if (stage === "IDLE" || stage === "RESULT") onDeal();
    else if (stage === "DRAW") void draw();
  }
  usePokerKeys(game, {
    onHold(index) {
      if (stage === "DRAW") toggle(index);
      return stage === "DRAW";
    },
    onMain,
    onRepeat() {
      if (stage !== "RESULT" || !isReady || closed) return false;
      onMain();
      return true;
    },
  });

  return (
    <div className="grid gap-4">
      <section ref={game} aria-label="Jacks or Better" className="overflow-clip rounded-panel bg-panel">
        <header className="flex items-center justify-between gap-x-4 border-b border-line py-1 pl-4 pr-2 lg:py-2">
          <div className="flex flex-wrap items-baseline gap-x-4">
            <h2 className="display text-20 font-bold max-lg:sr-only">Jacks or Better</h2>
            <p className="text-14 text-ink-2">
              Balance <Amount cents={user ? centsOf(user.balance) : 0} className="font-semibold text-ink" />
            </p>
          </div>
          <div className="flex shrink-0">
            <Button
              variant="ghost"
              size="small"
              aria-expanded={isPayoutsOpen}
              aria-controls={payoutsId}
              onClick={() => setPayoutsOpen(!isPayoutsOpen)}
            >
              <ListOrdered aria-hidden className="size-4" />
              Payouts
            </Button>
            <SoundButton />
            <Button variant="ghost" size="small" onClick={onOpenFairness}>
              <ShieldCheck aria-hidden className="size-4" />
              <span className="max-sm:sr-only">Provably fair</span>
            </Button>
          </div>
        </header>
        <div className="grid grid-cols-[minmax(0,1fr)] lg:grid-cols-[304px_minmax(0,1fr)]">
          <div className="order-2 grid content-start gap-4 p-4 lg:order-1">
            <DockAmount>
              <BetArea
                dollars={shownDollars}
                isLocked={stage !== "IDLE"}
                onChange={setDollars}
                onMaxBet={setMaxBet}
                {...(stage === "RESULT" && { onUnlock: onClear })}
              />
            </DockAmount>
            <BetOptions summary={isTurboOn ? "Turbo on" : "Turbo off"}>
              <TurboSwitch />
            </BetOptions>
            <GameButton
              stage={stage}
              isOff={!isReady || isBusy(state) || (closed !== "" && stage === "IDLE")}
              onPress={onMain}
            >
              {(stage === "IDLE" && closed) || buttonLabel(state)}
            </GameButton>
            <p className="flex gap-2.5 lg:min-h-[78px] rounded-control bg-raised p-3 text-13 text-ink-2">
              <Info aria-hidden className="mt-px size-4 shrink-0 text-info" />
              {HINTS[stage]}
            </p>
          </div>
          <div className="order-1 min-w-0 lg:order-2">
            <PokerStage
              state={state}
              chips={chips}
              betCents={shownDollars * 100}
              payouts={{ isOpen: isPayoutsOpen, id: payoutsId }}
              onToggle={toggle}
              onVerifyRound={onVerifyRound}
            />
          </div>
        </div>
        <LiveRegion message={announcement} />
      </section>
      <BetsTable
        game={videoPokerRounds}
        rounds={rounds}
        inPlay={(stage === "DRAW" || stage === "DRAWING") && hand ? hand : null}
        onVerifyRound={onVerifyRound}
      />
      <LoadedPart isWanted={stage === "RESULT"}>
        <HandTrainer hand={stage === "RESULT" ? hand : null} dealt={state.dealt} />
      </LoadedPart>
    </div>
  );
}

const HINTS: Record<Stage, string> = {
  IDLE: "Deal gives five cards for your bet. A pair of Jacks or better wins.",
  DEALING: "Deal gives five cards for your bet. A pair of Jacks or better wins.",
  DRAW: "Choose the cards to hold, by click or with the keys 1–5. Draw replaces the others, also with Enter or Space.",
  DRAWING: "The cards that you do not hold are being replaced.",
  RESULT: "The hand is over. New Game deals the next one for the same bet, also with Enter or Space.",
};

function buttonLabel({ stage, hand }: GameState): string {
  switch (stage) {
    case "IDLE":
      return "Deal Cards";
    case "DEALING":
      return "Dealing...";
    case "DRAW":
      return "Draw Cards";
    case "DRAWING":
      return "Drawing...";
    case "RESULT":
      return hand?.isWin ? "New Game (You Won!)" : "New Game";
  }
}

/** The bet in dollars. Max Bet sets ten dollars; switching it off restores the previous bet. */
function useBet() {
  const [bet, setBet] = useState<number>(BETS.initial);
  const before = useRef<number>(BETS.initial);
  function setDollars(dollars: number) {
    if (dollars < BETS.maximum) before.current = dollars;
    setBet(dollars);
  }
  return { bet, setDollars, setMaxBet: (isOn: boolean) => setBet(isOn ? BETS.maximum : before.current) };
}

/** The hand in play and its announcements. */
function usePokerTable() {
  const { updateBalance, refresh } = useSession();
  const { rounds, chips, add } = useOwnRounds(videoPokerRounds);
  const [announcement, setAnnouncement] = useState("");
  const onResult = useCallback(
    (hand: PokerHand) => {
      const { roundId, isWin, betAmount, winAmount } = hand;
      playSound("card");
      const rank = rankWords(hand.handRank);
      const outcome = isWin ? `win (${rank})` : "loss";
      add(
        recordOf({
          id: roundId,
          gameType: "poker",
          pokerGame: "videoPoker",
          betAmount,
          winAmount,
          outcome,
          ...(isWin && { handRank: rank }),
        }),
      );
      // The toast is announced by itself: a win is announced there only.
      setAnnouncement(`${cardNames(hand.hand)}.${isWin ? "" : " No win this time. Try again!"}`);
      if (isWin) toast({ title: `Winner! ${rank}`, description: `You won ${formatWire(winAmount)} with a ${rank}` });
    },
    [add],
  );
  const handlers = useMemo(
    () => ({
      onBalance: updateBalance,
      onBalanceUnknown: () => void refresh(),
      onDealt(hand: PokerHand) {
        playSound("card");
        setAnnouncement(`Dealt: ${cardNames(hand.hand)}. ${hand.message}`);
      },
      onResult,
      onRefused: (title: string, description: string) => toast({ title, description, variant: "destructive" }),
    }),
    [updateBalance, refresh, onResult],
  );
  return { ...useVideoPoker(handlers), announcement, rounds, chips };
}
