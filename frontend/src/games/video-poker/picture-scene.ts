import { eased, turnOf } from "@/components/preview";
import type { CardPose } from "@/games/cards/card-picture";
import type { Card } from "@/lib/cards";

/** A dealt hand whose first four cards are held, and the card drawn for the fifth. */
export const EXAMPLE: readonly Card[] = [
  { suit: "spades", value: "A" },
  { suit: "spades", value: "K" },
  { suit: "spades", value: "Q" },
  { suit: "spades", value: "J" },
  { suit: "hearts", value: "7" },
  { suit: "spades", value: "10" },
];
const DISCARDED = 4;
const DRAWN = 5;

const DEAL_MS = 220;
const HOLD_AT_MS = 2200;
const DRAW_AT_MS = 4200;
const CLEAR_AT_MS = 8200;
const TURN_MS = 9200;
const MOVE_MS = 400;

/** The middle of a place in the row of five. */
const placeX = (place: number): number => 0.5 + (place - 2) * 0.16;
const MIDDLE = 0.52;
const LIFTED = 0.46;

/** The example at a time of the scene: dealt, held, drawn, cleared. */
export function posesAt(sceneMs: number): readonly CardPose[] {
  const { ms } = turnOf(sceneMs, TURN_MS);
  const lift = eased(ms, HOLD_AT_MS, MOVE_MS);
  const exchange = eased(ms, DRAW_AT_MS, MOVE_MS);
  const left = 1 - eased(ms, CLEAR_AT_MS, MOVE_MS);
  return EXAMPLE.map((_, index) => {
    const dealt = index === DRAWN ? exchange : eased(ms, index * DEAL_MS, MOVE_MS);
    const kept = index === DISCARDED ? 1 - exchange : 1;
    const isHeld = index < DISCARDED;
    const y = index === DISCARDED ? MIDDLE + exchange * 0.12 : MIDDLE + (LIFTED - MIDDLE) * (isHeld ? lift : 0);
    return {
      x: placeX(Math.min(index, DISCARDED)),
      y: y - (1 - dealt) * 0.12,
      degrees: index === DISCARDED ? exchange * 8 : 0,
      opacity: dealt * kept * left,
      isMarked: isHeld && ms >= HOLD_AT_MS && ms < CLEAR_AT_MS,
    };
  });
}

/** A player's own hand, as dealt. */
export const handPoses = (hand: readonly Card[], held: readonly number[]): readonly CardPose[] =>
  hand.map((_, index) => ({
    x: placeX(index),
    y: held.includes(index) ? LIFTED : MIDDLE,
    degrees: 0,
    opacity: 1,
    isMarked: held.includes(index),
  }));
