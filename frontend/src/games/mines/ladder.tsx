import { cn } from "@/lib/class-names";
import { payoutText, type Rung } from "./rules";

/** How many rungs are shown: one behind, the current one, and the next ones. */
const SHOWN = 5;

type LadderProps = {
  rungs: readonly Rung[];
  /** The number of safe cells so far; 0 before the first. */ safeCells: number;
  isPlaying: boolean;
  /** Whether the round was lost. */ isLost: boolean;
};

/** The multipliers of the next safe cells. */
export function Ladder({ rungs, safeCells, isPlaying, isLost }: LadderProps) {
  const first = Math.max(0, Math.min(safeCells - 1, rungs.length - SHOWN));
  return (
    <ol
      aria-label="Multipliers"
      className="mines-ladder grid auto-cols-fr grid-flow-col gap-1.5 @2xl:auto-cols-auto @2xl:grid-flow-row"
    >
      {rungs.slice(first, first + SHOWN).map((rung) => {
        const isCurrent = rung.safeCells === safeCells && !isLost;
        const isNext = isPlaying && rung.safeCells === safeCells + 1;
        return (
          <li
            key={rung.safeCells}
            aria-current={isCurrent ? "step" : undefined}
            className={cn(
              "edge grid min-w-0 content-center justify-items-center gap-0.5 rounded-control border bg-panel px-1 py-1.5 text-12 text-ink-3 @2xl:min-h-11 @2xl:grid-cols-[1fr_auto_auto] @2xl:items-baseline @2xl:gap-x-3 @2xl:justify-items-start @2xl:px-3 @2xl:py-2",
              isCurrent
                ? "border-brass forced-colors:outline-2 forced-colors:outline-[Highlight]"
                : "border-transparent",
            )}
          >
            <span className="whitespace-nowrap">
              {rung.safeCells}
              <span className="@max-2xl:sr-only"> safe</span>
            </span>
            <strong
              className={cn(
                "max-w-full truncate text-12 font-semibold @2xl:text-14",
                isCurrent ? "text-brass" : isNext ? "text-ink" : "text-ink-2",
              )}
            >
              <span className="@2xl:hidden">{rung.short}</span>
              <span className="@max-2xl:hidden">{rung.multiplier}</span>
            </strong>
            <span className="hidden min-w-[68px] justify-self-end text-right @2xl:block">
              {payoutText(rung.payoutCents)}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
