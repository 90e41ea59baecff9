import { type CardPlace, PlayingCard, placeName } from "@/games/cards";
import { cn } from "@/lib/class-names";
import type { GameState } from "./state";

const PLACES = [0, 1, 2, 3, 4] as const;

type HandRowProps = { state: GameState; onToggle(index: number): void };

/** The five cards; while the player can hold, each is a checkbox. */
export function HandRow({ state, onToggle }: HandRowProps) {
  return (
    <div role="group" aria-label="Your hand" className="mx-auto grid w-full max-w-[640px] grid-cols-5 gap-1 sm:gap-3">
      {PLACES.map((index) => (
        <HandCard key={index} index={index} state={state} onToggle={onToggle} />
      ))}
    </div>
  );
}

function placeOf({ stage, hand, held }: GameState, index: number): CardPlace {
  if (stage === "IDLE") return "empty";
  if (stage === "DEALING" || (stage === "DRAWING" && !held.includes(index))) return "down";
  return hand?.hand[index] ?? "empty";
}

/** When a card is turned: one after the other, without a pause for those that were held. */
function dealOrder({ stage, held }: GameState, index: number): number {
  const isReplaced = stage === "RESULT" && !held.includes(index);
  return isReplaced ? index - held.filter((each) => each < index).length : index;
}

function labelOf({ stage }: GameState, isHeld: boolean): string {
  if (stage === "DRAWING") return isHeld ? "HOLDING..." : "DRAWING...";
  return isHeld ? "HELD" : "";
}

function HandCard({ index, state, onToggle }: HandRowProps & { index: number }) {
  const place = placeOf(state, index);
  const isHeld = state.held.includes(index);
  const isChoice = state.stage === "DRAW";
  const name = `${placeName(place)}${isHeld ? ", held" : ""}`;
  return (
    // The card element stays the same through all stages, so that a held card is not flipped again.
    <div className="relative min-w-0" {...(isChoice ? {} : { role: "img", "aria-label": name })}>
      <div aria-hidden>
        <div
          className={cn("transition-transform duration-[120ms] ease-house", isHeld && isChoice && "-translate-y-1.5")}
        >
          <PlayingCard place={place} index={dealOrder(state, index)} isMarked={isHeld} />
        </div>
        <CardLabel state={state} index={index} isHeld={isHeld} />
      </div>
      {isChoice && (
        <button
          type="button"
          role="checkbox"
          aria-checked={isHeld}
          aria-label={name}
          aria-keyshortcuts={String(index + 1)}
          onClick={() => onToggle(index)}
          className="absolute inset-0 touch-manipulation rounded-control"
        />
      )}
    </div>
  );
}

/** Below the card: whether it is held, or else the key that holds it. */
function CardLabel({ state, index, isHeld }: { state: GameState; index: number; isHeld: boolean }) {
  const text = labelOf(state, isHeld);
  return (
    <span className="mt-1.5 flex h-5 items-center justify-center">
      {text !== "" ? (
        <span
          className={cn(
            "whitespace-nowrap rounded-chip text-12 font-bold max-sm:tracking-[-0.04em] sm:px-1.5",
            text === "HELD" ? "bg-brass px-1.5 text-on-brass" : "text-ink-2",
          )}
        >
          {text}
        </span>
      ) : (
        state.stage === "DRAW" && <span className="text-12 text-ink-3 max-lg:hidden">{index + 1}</span>
      )}
    </span>
  );
}
