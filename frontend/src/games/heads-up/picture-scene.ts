import { eased, turnOf } from "@/components/preview";
import type { CardPose } from "@/games/cards/card-picture";
import type { Card } from "@/lib/cards";

/** The example's own two cards. */
export const EXAMPLE_OWN: readonly Card[] = [
  { suit: "hearts", value: "K" },
  { suit: "clubs", value: "K" },
];
export const EXAMPLE_BOARD: readonly Card[] = [
  { suit: "diamonds", value: "10" },
  { suit: "clubs", value: "10" },
  { suit: "hearts", value: "4" },
  { suit: "spades", value: "K" },
  { suit: "diamonds", value: "2" },
];

const OWN_AT_MS = 200;
const BOARD_AT_MS = 1600;
const NEXT_MS = 900;
const CLEAR_AT_MS = 9000;
const TURN_MS = 9800;
const MOVE_MS = 420;

/** Places of own cards, slightly turned towards each other, and of the board above them. */
const ownPose = (index: number): CardPose => ({
  x: 0.5 + (index - 0.5) * 0.15,
  y: 0.72,
  degrees: index === 0 ? -5 : 5,
  opacity: 1,
  isMarked: true,
});
const boardPose = (index: number, count: number): CardPose => ({
  x: 0.5 + (index - (count - 1) / 2) * 0.158,
  y: 0.26,
  degrees: 0,
  opacity: 1,
  isMarked: false,
});

/** Own cards first, then the board. */
export const tablePoses = (own: readonly Card[], board: readonly Card[]): readonly CardPose[] => [
  ...own.map((_, index) => ownPose(index)),
  ...board.map((_, index) => boardPose(index, board.length)),
];

const PLACES = tablePoses(EXAMPLE_OWN, EXAMPLE_BOARD);

/** The example at a time of the scene: the own cards are dealt, then the board card by card. */
export function posesAt(sceneMs: number): readonly CardPose[] {
  const { ms } = turnOf(sceneMs, TURN_MS);
  const left = 1 - eased(ms, CLEAR_AT_MS, MOVE_MS);
  return PLACES.map(({ x, y, degrees, isMarked }, index) => {
    const isOwn = index < EXAMPLE_OWN.length;
    const at = isOwn ? OWN_AT_MS + index * 200 : BOARD_AT_MS + (index - EXAMPLE_OWN.length) * NEXT_MS;
    const dealt = eased(ms, at, MOVE_MS);
    return { x, y: y - (1 - dealt) * 0.1, degrees, opacity: dealt * left, isMarked };
  });
}
