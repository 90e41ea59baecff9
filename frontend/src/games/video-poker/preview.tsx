import { CardPicture } from "@/games/cards/card-picture";
import type { GamePreview, PictureProps } from "@/games/definition";
import type { OpenRounds } from "@/games/rounds/api";
import { cardSigns } from "@/lib/cards";
import { formatWire } from "@/lib/money";
import { EXAMPLE, handPoses, posesAt } from "./picture-scene";

/** Four cards are held and the fifth is about to be exchanged. */
const STILL_MS = 3600;

/** The cards stand in one row. */
const HEIGHT_SHARE = 0.6;

function Picture({ open, isStill }: PictureProps) {
  const round = open?.poker ?? null;
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
  return (
    <CardPicture
      key={round.roundId}
      cards={round.hand}
      posesAt={() => handPoses(round.hand, round.heldIndexes)}
      heightShare={HEIGHT_SHARE}
      stillMs={0}
      isStill
    />
  );
}

function Progress({ open: { poker: round } }: { open: OpenRounds }) {
  if (!round) return null;
  return (
    <>
      <p className="display text-28 font-bold sm:text-40">{cardSigns(round.hand)}</p>
      <p className="text-14 text-ink-2">
        Your stake is {formatWire(round.betAmount)}. Choose which cards to hold, then draw.
      </p>
    </>
  );
}

export const preview: GamePreview = { Picture, Progress };
