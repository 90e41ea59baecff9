import { useRef } from "react";
import { useFrames } from "@/components/preview";
import { type Card, cardKey } from "@/lib/cards";
import { CardFace } from "./card-face";

/** Where a card is: its centre in shares of the picture, turned clockwise, from invisible (0) to solid (1). */
export type CardPose = { x: number; y: number; degrees: number; opacity: number; isMarked: boolean };

/** A card's width as a share of the picture's. */
const CARD_WIDTH = 0.14;
/** The picture is 16:9, a card 5:7. */
const CARD_HEIGHT = (CARD_WIDTH * 16 * 7) / (9 * 5);

type CardPictureProps = {
  cards: readonly Card[];
  /** One pose for each card. */
  posesAt(sceneMs: number): readonly CardPose[];
  /** How much of the picture's height the cards use; the rest may be cut off. */
  heightShare: number;
  stillMs: number;
  isStill: boolean;
};

/** Cards on a table that move by transform and opacity only. */
export function CardPicture({ cards, posesAt, heightShare, stillMs, isStill }: CardPictureProps) {
  const table = useRef<HTMLDivElement>(null);
  function draw(sceneMs: number) {
    const elements = table.current?.children ?? [];
    for (const [index, { x, y, degrees, opacity, isMarked }] of posesAt(sceneMs).entries()) {
      const element = elements[index];
      if (!(element instanceof HTMLElement)) continue;
      const [left, top] = [((x - CARD_WIDTH / 2) / CARD_WIDTH) * 100, ((y - CARD_HEIGHT / 2) / CARD_HEIGHT) * 100];
      element.style.transform = `translate(${left.toFixed(2)}%, ${top.toFixed(2)}%) rotate(${degrees.toFixed(2)}deg)`;
      element.style.opacity = opacity.toFixed(3);
      element.toggleAttribute("data-marked", isMarked);
    }
  }
  useFrames(table, draw, { stillMs, isStill });
  return (
    <div className="absolute inset-0 grid place-items-center [container-type:size]">
      <div
        ref={table}
        className="relative aspect-video"
        style={{ width: `min(100cqw, ${((100 / heightShare) * (16 / 9)).toFixed(1)}cqh)` }}
      >
        {cards.map((card) => (
          <div
            key={cardKey(card)}
            className="absolute left-0 top-0 aspect-[5/7] w-[14%] rounded-chip data-[marked]:ring-2 data-[marked]:ring-brass"
          >
            <CardFace card={card} />
          </div>
        ))}
      </div>
    </div>
  );
}
