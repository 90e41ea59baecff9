import { type Card, cardKey, cardName } from "@/lib/cards";
import { cn } from "@/lib/class-names";
import { CardFace } from "./card-face";

/** How long after the card before it each card is turned. */
const DEAL_DELAY_S = 0.15;

/** A card that is there, one that lies on its face, or a place where one will lie. */
export type CardPlace = Card | "down" | "empty";

type PlayingCardProps = {
  place: CardPlace;
  /** Its turn when cards are dealt. */
  index?: number;
  isMarked?: boolean;
  /** Lies there from the beginning, without being turned. */
  isStill?: boolean;
};

export function placeName(place: CardPlace): string {
  return place === "empty" ? "Empty card slot" : place === "down" ? "Face-down card" : cardName(place);
}

/** One card as it lies on the table. What it is called is up to what it stands in. */
export function PlayingCard({ place, index = 0, isMarked = false, isStill = false }: PlayingCardProps) {
  const isDown = place === "down";
  return (
    <div className={cn("relative aspect-[5/7] w-full rounded-control", isMarked && "ring-2 ring-brass")}>
      {place === "empty" ? (
        <div className="display grid size-full place-items-center rounded-control border-2 border-dashed border-line text-28 text-ink-3">
          ?
        </div>
      ) : (
        // By its key anew for each card: only a card that was not there before is turned.
        <div
          key={isDown ? "down" : cardKey(place)}
          className={cn("card-turner relative size-full", isDown ? "card-turner-down" : !isStill && "card-turner-up")}
          style={isDown || isStill ? undefined : { animationDelay: `${index * DEAL_DELAY_S}s` }}
        >
          {!isDown && (
            <div className="card-side absolute inset-0">
              <CardFace card={place} />
            </div>
          )}
          <CardBack />
        </div>
      )}
    </div>
  );
}

function CardBack() {
  return (
    <div
      aria-hidden
      className="card-side card-side-back card-back absolute inset-0 grid place-items-center rounded-control border border-control p-[8%]"
    >
      <span className="display grid aspect-square w-[58%] place-items-center rounded-full bg-well text-14 font-bold text-brass sm:text-20">
        JP
      </span>
    </div>
  );
}

const NONE: readonly number[] = [];
const WIDTHS = { small: "w-11", medium: "w-12 lg:w-[72px]" } as const;

type CardListProps = {
  label: string;
  places: readonly CardPlace[];
  /** Which of them are held. */
  marked?: readonly number[];
  size?: keyof typeof WIDTHS;
  isStill?: boolean;
  /** When the first is turned, in places. */
  firstIndex?: number;
};

/** Cards side by side that are only looked at. */
export function CardList({
  label,
  places,
  marked = NONE,
  size = "medium",
  isStill = false,
  firstIndex = 0,
}: CardListProps) {
  return (
    <ul aria-label={label} className="flex flex-wrap gap-1.5 sm:gap-2">
      {places.map((place, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a place at the table is its position
        <li key={index} className={cn("relative", WIDTHS[size])}>
          <span className="sr-only">
            {placeName(place)}
            {marked.includes(index) ? ", held" : ""}
          </span>
          <PlayingCard place={place} index={firstIndex + index} isMarked={marked.includes(index)} isStill={isStill} />
        </li>
      ))}
    </ul>
  );
}
