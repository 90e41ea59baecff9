import type { Card } from "@/lib/cards";
import { CardList } from "./playing-card";

/** How the stream determines the cards, after "HMAC-SHA256 of …". */
export const CARDS_DERIVATION =
  "and of the numbers after 0 gives one word a card: the card at that word times the cards left, divided by 2³², leaves the deck.";

/** Rows of recomputed cards with their labels; held ones are marked. */
export type CardRow = { label: string; cards: readonly Card[]; held?: readonly number[] };

export function CardTable({ rows }: { rows: readonly CardRow[] }) {
  return (
    <div className="flex flex-wrap gap-x-8 gap-y-3 rounded-control bg-well p-3">
      {rows.map(({ label, cards, held }) => (
        <div key={label} className="grid gap-1.5">
          <p aria-hidden className="text-13 text-ink-3">
            {label}
          </p>
          <CardList label={label} places={cards} {...(held ? { marked: held } : {})} size="small" isStill />
        </div>
      ))}
    </div>
  );
}
