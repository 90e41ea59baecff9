import type { ReactNode } from "react";
import { Amount } from "@/components";
import { CardList, type CardPlace } from "@/games/cards";
import { cn } from "@/lib/class-names";
import { formatDollars, formatWire } from "@/lib/money";
import type { HeadsUpHand } from "./api";
import { ending, netCents, potOf, qualification } from "./rules";

const DOWN: readonly CardPlace[] = ["down", "down"];
const EMPTY: readonly CardPlace[] = ["empty", "empty"];
const BOARD = 5;

/** The table: the house's cards, the board with the pot, the player's cards, and the result. */
export function HeadsUpStage({ hand, isDealing }: { hand: HeadsUpHand | null; isDealing: boolean }) {
  const board: CardPlace[] = Array.from({ length: BOARD }, (_, index) => hand?.board[index] ?? "empty");
  const waiting = isDealing ? DOWN : EMPTY;
  const isOver = hand?.result === "complete";
  return (
    <div className="grid h-full content-center justify-center gap-3 bg-well p-3 max-sm:grid-cols-[minmax(0,1fr)] sm:grid-cols-[min(100%,560px)] lg:gap-5 lg:p-5 short:grid-cols-2">
      <Row
        label="House"
        says={isOver && hand.houseHand !== null ? hand.houseHand : hand ? "Face down until the end" : "1 opponent"}
      >
        <CardList
          label="The house's cards"
          places={isOver && hand.houseCards ? hand.houseCards : hand ? DOWN : waiting}
          firstIndex={2}
        />
      </Row>
      <Row label="Board" says={<PotLine hand={hand} />}>
        {/* Turn and river are dealt late, and are turned first. */}
        <CardList
          label="Board"
          places={isDealing ? ["down", "down", "down", "empty", "empty"] : board}
          firstIndex={isOver ? -3 : 2}
        />
      </Row>
      <Row label="You" says={hand?.playerHand ?? "Two cards and the flop, then you decide"}>
        <CardList label="Your cards" places={hand?.playerCards ?? waiting} />
      </Row>
      <div data-testid="heads-up-result" className="lg:min-h-[128px]">
        {isOver && <Result hand={hand} />}
      </div>
    </div>
  );
}

function Row({ label, says, children }: { label: string; says: ReactNode; children: ReactNode }) {
  return (
    <div className="grid gap-1.5">
      <div className="flex items-baseline justify-between gap-3 text-14">
        <h3 className="font-semibold">{label}</h3>
        <div className="text-right text-ink-2">{says}</div>
      </div>
      {children}
    </div>
  );
}

function PotLine({ hand }: { hand: HeadsUpHand | null }) {
  // Reserves the height of the two lines that follow later.
  if (!hand) return <span className="inline-block min-h-10">The pot starts at twice the bet</span>;
  const { openingCents, addedCents, matchedCents, totalCents } = potOf(hand);
  const parts = [
    formatDollars(openingCents),
    ...(addedCents > 0 ? [`your ${hand.action ?? ""} ${formatDollars(addedCents)}`] : []),
    ...(matchedCents > 0 ? [`house ${formatDollars(matchedCents)}`] : []),
  ];
  return (
    <>
      Pot{" "}
      <strong data-testid="pot" className="text-16 text-ink">
        {formatDollars(totalCents)}
      </strong>
      <span className="block min-h-4 text-12 text-ink-3">{parts.length > 1 && parts.join(" + ")}</span>
    </>
  );
}

function Result({ hand }: { hand: HeadsUpHand }) {
  const isWin = hand.outcome === "win";
  const net = netCents(hand);
  const word = net > 0 ? "won" : net < 0 ? "lost" : "returned";
  return (
    <div
      className={cn(
        "grid gap-1 rounded-control border bg-panel px-4 py-3",
        isWin ? "animate-[flash_400ms_var(--ease-house)] border-win" : "border-line",
      )}
    >
      <p className="flex flex-wrap items-baseline justify-between gap-x-4 text-20 font-semibold">
        {ending(hand).title}
        <span className="text-16">
          <Amount cents={net} signed /> <span className="text-14 font-normal text-ink-2">{word}</span>
        </span>
      </p>
      <p className="text-14 text-ink-2">{qualification(hand)}</p>
      <p className="text-13 text-ink-3">
        Staked {formatWire(hand.stakedAmount)}, paid {formatWire(hand.winAmount)} · Round #{hand.roundId}
      </p>
    </div>
  );
}
