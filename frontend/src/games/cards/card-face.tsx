import type { Card, CardValue } from "@/lib/cards";
import { cn } from "@/lib/class-names";
import { SuitShape } from "./suit-shape";

/** The court cards' headdresses: a plumed cap, a coronet, a crown. */
const HEADDRESSES: Partial<Record<CardValue, string>> = {
  J: "M36 79H86V88H36ZM39 78C36 62 48 55 62 56C76 56 86 65 83 78ZM72 58C73 44 83 36 95 35C96 48 89 60 79 65Z",
  Q: "M33 88L29 62L43 75L50 56L60 74L70 56L77 75L91 62L87 88ZM29 60A4 4 0 1 1 29.1 60ZM50 53A4 4 0 1 1 50.1 53ZM70 53A4 4 0 1 1 70.1 53ZM91 60A4 4 0 1 1 91.1 60Z",
  K: "M33 88L28 58L46 72L60 50L74 72L92 58L87 88ZM57 47L57 43L53 43L53 38L57 38L57 34L63 34L63 38L67 38L67 43L63 43L63 47Z",
};

/** A card's face. The index is large enough to read with five cards across a phone. */
export function CardFace({ card: { suit, value } }: { card: Card }) {
  const headdress = HEADDRESSES[value];
  const isRed = suit === "hearts" || suit === "diamonds";
  return (
    <svg
      viewBox="0 0 100 140"
      aria-hidden
      className={cn("block size-full rounded-[6%/4.3%] bg-card", isRed ? "text-card-red" : "text-card-ink")}
    >
      <rect
        x="1"
        y="1"
        width="98"
        height="138"
        rx="6"
        fill="none"
        stroke="currentColor"
        strokeOpacity="0.22"
        strokeWidth="1.5"
      />
      <text
        x="9"
        y="37"
        fill="currentColor"
        fontSize="36"
        fontWeight="700"
        className="font-sans"
        letterSpacing={value === "10" ? -4 : 0}
      >
        {value}
      </text>
      <SuitShape suit={suit} x={9} y={45} size={21} />
      {headdress === undefined ? (
        <SuitShape suit={suit} x={37} y={71} size={56} />
      ) : (
        <>
          {/* Next to the index, not below it. */}
          <path
            d={headdress}
            transform="translate(15 14) scale(0.84)"
            className="fill-card-gold"
            stroke="currentColor"
            strokeWidth="1.5"
            strokeLinejoin="round"
          />
          <SuitShape suit={suit} x={46} y={94} size={38} />
        </>
      )}
    </svg>
  );
}
