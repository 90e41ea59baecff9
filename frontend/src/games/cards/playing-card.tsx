import { type Card, cardKey, cardName } from "@/lib/cards";
import { cn } from "@/lib/class-names";
import { CardFace } from "./card-face";

/** The delay between turning one card and the next. */
const DEAL_DELAY_S = 0.15;

/** A face-up card, a face-down one, or an empty place. */
export type CardPlace = Card | "down" | "empty";

type PlayingCardProps = {
  place: CardPlace;
  /** Its position in the deal. */
  index?: number;
  isMarked?: boolean;
  /** Where some cards have won: whether this is one of them. The others are dimmed. */
  isWinning?: boolean | undefined;
  /** Shown at once, without a flip. */
  isStill?: boolean;
};

export function placeName(place: CardPlace): string {
  return place === "empty" ? "Empty card slot" : place === "down" ? "Face-down card" : cardName(place);
}

/** A card on the table. The parent provides its accessible name. */
export function PlayingCard({ place, index = 0, isMarked = false, isWinning, isStill = false }: PlayingCardProps) {
  const isDown = place === "down";
  return (
    <div
      className={cn(
        "relative aspect-[5/7] w-full rounded-control transition-transform duration-[180ms] ease-house",
        isMarked && "ring-2 ring-brass",
        isWinning === true &&
          "-translate-y-1.5 ring-2 ring-brass ring-offset-2 ring-offset-well forced-colors:outline-2 forced-colors:outline-[Highlight]",
      )}
    >
      {place === "empty" ? (
        <div className="display grid size-full place-items-center rounded-control border-2 border-dashed border-line text-28 text-ink-3">
          ?
        </div>
      ) : (
        // Keyed by card, so that only a new card is turned.
        <div
          key={isDown ? "down" : cardKey(place)}
          className={cn("card-turner relative size-full", isDown ? "card-turner-down" : !isStill && "card-turner-up")}
          style={isDown || isStill ? undefined : { animationDelay: `${index * DEAL_DELAY_S}s` }}
        >
          {!isDown && (
            <div className={cn("card-side absolute inset-0", isWinning === false && "opacity-40")}>
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
const WIDTHS = {
  small: "w-11",
  medium: "w-12 lg:w-[72px]",
  /** As large as a stage has room for: five in a row, and several rows. */
  table: "w-[clamp(2.5rem,16.5cqw,4.5rem)] low:w-10 short:w-[min(2.5rem,8.4cqw)]",
} as const;

type CardListProps = {
  label: string;
  places: readonly CardPlace[];
  /** The indexes of the held cards. */
  marked?: readonly number[];
  size?: keyof typeof WIDTHS;
  isStill?: boolean;
  /** Where the deal starts, in positions. */
  firstIndex?: number;
  /** The cards that have won; the others are dimmed. */
  winning?: readonly Card[] | null;
  isCentred?: boolean;
};

const isAmong = (place: CardPlace, cards: readonly Card[]): boolean =>
  typeof place === "object" && cards.some((card) => cardKey(card) === cardKey(place));

/** A row of cards for display only. */
export function CardList({
  label,
  places,
  marked = NONE,
  size = "medium",
  isStill = false,
  firstIndex = 0,
  winning = null,
  isCentred = false,
}: CardListProps) {
  return (
    <ul aria-label={label} className={cn("flex flex-wrap gap-1.5 sm:gap-2", isCentred && "justify-center")}>
      {places.map((place, index) => {
        const isWinning = winning ? isAmong(place, winning) : undefined;
        return (
          // oxlint-disable-next-line react/no-array-index-key -- a place at the table is its position
          <li key={index} className={cn("relative", WIDTHS[size])}>
            <span className="sr-only">
              {placeName(place)}
              {marked.includes(index) ? ", held" : ""}
              {isWinning ? ", in the winning hand" : ""}
            </span>
            <PlayingCard
              place={place}
              index={firstIndex + index}
              isMarked={marked.includes(index)}
              isWinning={isWinning}
              isStill={isStill}
            />
          </li>
        );
      })}
    </ul>
  );
}
