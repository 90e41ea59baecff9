import type { Suit } from "@/lib/cards";

/** Each suit in a 100 × 100 box. */
const PATHS: Record<Suit, string> = {
  hearts: "M50 94C20 68 4 52 4 31C4 15 16 5 29 5C38 5 46 10 50 19C54 10 62 5 71 5C84 5 96 15 96 31C96 52 80 68 50 94Z",
  diamonds: "M50 3C59 22 71 37 88 50C71 63 59 78 50 97C41 78 29 63 12 50C29 37 41 22 50 3Z",
  spades:
    "M50 3C62 24 94 38 94 62C94 75 84 84 73 84C65 84 58 80 54 73C55 84 58 91 66 97L34 97C42 91 45 84 46 73C42 80 35 84 27 84C16 84 6 75 6 62C6 38 38 24 50 3Z",
  clubs:
    "M50 4C62 4 71 13 71 25C71 31 69 36 65 40C68 39 71 38 74 38C86 38 96 48 96 60C96 72 86 82 74 82C66 82 58 78 54 71C55 83 58 91 66 97L34 97C42 91 45 83 46 71C42 78 34 82 26 82C14 82 4 72 4 60C4 48 14 38 26 38C29 38 32 39 35 40C31 36 29 31 29 25C29 13 38 4 50 4Z",
};

type SuitShapeProps = { suit: Suit; x: number; y: number; size: number };

/** A suit symbol inside a drawing, in the current colour. */
export function SuitShape({ suit, x, y, size }: SuitShapeProps) {
  return <path d={PATHS[suit]} transform={`translate(${x} ${y}) scale(${size / 100})`} fill="currentColor" />;
}
