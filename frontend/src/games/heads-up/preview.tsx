import { CardPicture } from "@/games/cards/card-picture";
import type { GamePreview, PictureProps } from "@/games/definition";
import type { OpenRounds } from "@/games/rounds/api";
import { cardSigns } from "@/lib/cards";
import { formatWire } from "@/lib/money";
import { EXAMPLE_BOARD, EXAMPLE_OWN, posesAt, tablePoses } from "./picture-scene";

/** All cards are on the table. */
const STILL_MS = 7000;
const EXAMPLE = [...EXAMPLE_OWN, ...EXAMPLE_BOARD];

/** Smaller than the picture, so that the board stays clear of the corners. */
const HEIGHT_SHARE = 1.12;

function Picture({ open, isStill }: PictureProps) {
  const round = open?.headsUp ?? null;
  if (!round)
    return (
      <CardPicture
        key="example"
        cards={EXAMPLE}
        posesAt={posesAt}
        heightShare={HEIGHT_SHARE}
        stillMs={STILL_MS}
        isStill={isStill}
      />
    );
  const { playerCards, board } = round;
  return (
    <CardPicture
      key={round.roundId}
      cards={[...playerCards, ...board]}
      posesAt={() => tablePoses(playerCards, board)}
      heightShare={HEIGHT_SHARE}
      stillMs={0}
      isStill
    />
  );
}

function Progress({ open: { headsUp: round } }: { open: OpenRounds }) {
  if (!round) return null;
  return (
    <>
      <p className="display text-28 font-bold sm:text-40">{cardSigns(round.playerCards)}</p>
      <p className="text-14 text-ink-2">Your stake is {formatWire(round.stakedAmount)}. The next move is yours.</p>
    </>
  );
}

export const preview: GamePreview = { Picture, Progress };
