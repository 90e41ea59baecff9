import { type ReactNode, useMemo } from "react";
import { Amount } from "@/components";
import { CardList, type CardPlace } from "@/games/cards";
import { useCelebration } from "@/games/rounds/use-celebration";
import { cardNames, cardSigns } from "@/lib/cards";
import { Watermark } from "@/games/rounds/watermark";
import { cn } from "@/lib/class-names";
import { formatDollars, formatWire } from "@/lib/money";
import type { HeadsUpHand } from "./api";
import { ending, netCents, potOf, qualification } from "./rules";
import { type Winning, winningCards } from "./winning-cards";

const DOWN: readonly CardPlace[] = ["down", "down"];
const EMPTY: readonly CardPlace[] = ["empty", "empty"];
const BOARD = 5;

/** The table: the house's cards, the board with the pot, the player's cards, and the result. */
export function HeadsUpStage({ hand, isDealing }: { hand: HeadsUpHand | null; isDealing: boolean }) {
  const board: CardPlace[] = Array.from({ length: BOARD }, (_, index) => hand?.board[index] ?? "empty");
  const waiting = isDealing ? DOWN : EMPTY;
  const ended = hand?.result === "complete" ? hand : null;
  const winning = useMemo(() => ended && winningCards(ended), [ended]);
  const result = useCelebration(ended);
  const cards = winning?.cards ?? null;
  return (
    <div className="stage @container grid h-full grid-cols-[minmax(0,1fr)] bg-well">
      <Watermark />
      {/* On a phone both hands are next to each other, so that the board and the result fit above the dock; in
          landscape all three are. */}
      <div className="grid grid-cols-2 content-start gap-x-3 gap-y-2 px-3 py-2 low:gap-y-1 low:py-1 lg:content-center short:gap-x-1 short:grid-cols-[calc(16.8cqw+0.5rem)_minmax(0,1fr)_calc(16.8cqw+0.5rem)] @xl:grid-cols-[minmax(0,1fr)] @xl:content-center @xl:gap-y-4 @xl:p-5">
        <Row
          label="House"
          isWinner={winning !== null && winning.owner !== "player"}
          says={ended?.houseHand ?? (hand ? "Face down" : "1 opponent")}
        >
          <CardList
            label="The house's cards"
            places={ended?.houseCards ?? (hand ? DOWN : waiting)}
            firstIndex={2}
            winning={cards}
            size="table"
            isCentred
          />
        </Row>
        <Row
          label="You"
          isWinner={winning !== null && winning.owner !== "house"}
          says={hand?.playerHand ?? "Two cards"}
          className="short:order-3 @xl:order-3"
        >
          <CardList label="Your cards" places={hand?.playerCards ?? waiting} winning={cards} size="table" isCentred />
        </Row>
        <Row
          label="Board"
          says={<PotLine hand={hand} />}
          className="col-span-full short:order-2 short:col-span-1 @xl:order-2"
        >
          {/* Turn and river are dealt late, and are turned first. */}
          <CardList
            label="Board"
            places={isDealing ? ["down", "down", "down", "empty", "empty"] : board}
            firstIndex={ended ? -3 : 2}
            winning={cards}
            size="table"
            isCentred
          />
        </Row>
        <div
          ref={result}
          data-testid="heads-up-result"
          className="col-span-full short:order-4 @xl:order-4 @xl:min-h-[124px]"
        >
          {ended && <Result hand={ended} winning={winning} />}
        </div>
      </div>
    </div>
  );
}

type RowProps = { label: string; says: ReactNode; isWinner?: boolean; className?: string; children: ReactNode };

/** Cards with their owner and what they are. */
function Row({ label, says, isWinner = false, className, children }: RowProps) {
  return (
    <div className={cn("grid min-w-0 content-start gap-2 low:gap-1 short:content-between", className)}>
      <div className="flex flex-wrap items-baseline justify-center gap-x-2 text-center text-14">
        <h3 className="text-ink-2">{label}</h3>
        <div className={cn("font-semibold", isWinner && "text-brass")}>{says}</div>
      </div>
      {children}
    </div>
  );
}

/** What the pot consists of. */
function potParts(hand: HeadsUpHand): string[] {
  const { openingCents, addedCents, matchedCents } = potOf(hand);
  return [
    formatDollars(openingCents),
    ...(addedCents > 0 ? [`your ${hand.action ?? ""} ${formatDollars(addedCents)}`] : []),
    ...(matchedCents > 0 ? [`house ${formatDollars(matchedCents)}`] : []),
  ];
}

function PotLine({ hand }: { hand: HeadsUpHand | null }) {
  if (!hand) return <span className="font-normal text-ink-2">The pot starts at twice the bet</span>;
  const parts = potParts(hand);
  return (
    <>
      <span className="font-normal text-ink-2">Pot </span>
      <strong data-testid="pot" className="text-16 text-ink">
        {formatDollars(potOf(hand).totalCents)}
      </strong>
      {parts.length > 1 && (
        <span className="ml-2 text-12 font-normal text-ink-3 @max-xl:hidden">{parts.join(" + ")}</span>
      )}
    </>
  );
}

const WINNERS: Record<Winning["owner"], string> = {
  player: "You win with",
  house: "The house wins with",
  both: "Equal hands:",
};

function Result({ hand, winning }: { hand: HeadsUpHand; winning: Winning | null }) {
  const isWin = hand.outcome === "win";
  const net = netCents(hand);
  const word = net > 0 ? "won" : net < 0 ? "lost" : "returned";
  return (
    <div
      className={cn(
        "mx-auto grid max-w-[560px] gap-1 rounded-control border bg-panel px-4 py-2 low:py-1 @xl:py-3",
        isWin ? "border-win" : "border-line",
      )}
    >
      <p
        data-testid="heads-up-outcome"
        className="flex flex-wrap items-baseline justify-between gap-x-4 text-16 font-semibold @xl:text-20"
      >
        {ending(hand).title}
        <span className="text-16">
          <Amount cents={net} signed /> <span className="text-14 font-normal text-ink-2">{word}</span>
        </span>
      </p>
      {winning && (
        <p data-testid="winning-hand" className="text-14">
          {WINNERS[winning.owner]}{" "}
          <span className="font-semibold">{winning.owner === "house" ? hand.houseHand : hand.playerHand}</span>
          <span className="sr-only">: {cardNames(winning.cards)}</span>
          <span aria-hidden className="whitespace-nowrap text-ink-2">
            {" "}
            {cardSigns(winning.cards)}
          </span>
        </p>
      )}
      <p className="text-13 text-ink-2 @xl:text-14">{qualification(hand)}</p>
      {/* Where there is no room for it beside the pot. */}
      <p className="text-13 text-ink-3 @xl:hidden">Pot: {potParts(hand).join(" + ")}</p>
      <p className="text-13 text-ink-3">
        Staked {formatWire(hand.stakedAmount)}, paid {formatWire(hand.winAmount)} · Round #{hand.roundId}
      </p>
    </div>
  );
}
