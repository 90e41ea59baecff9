import { type KeyboardEvent, useRef, useState } from "react";
import { cn } from "@/lib/class-names";
import { Gem, Mine } from "./cell-art";
import { SIDE } from "./multiplier";

/** What a cell shows. After the round, safe cells that were not revealed look different from revealed ones. */
export type CellView = "hidden" | "pending" | "safe" | "left" | "mine" | "hit";

const CELL_LABELS: Record<CellView, string> = {
  hidden: "hidden",
  pending: "being revealed",
  safe: "safe",
  left: "safe, not revealed",
  mine: "mine",
  hit: "mine, hit",
};

const CELL_CLASSES: Record<CellView, string> = {
  hidden: "bg-raised shadow-[inset_0_1px_0_oklch(0.42_0.022_168),inset_0_-3px_0_oklch(0.22_0.02_168)]",
  pending: "bg-line opacity-70",
  safe: "border border-info/40 bg-panel",
  left: "bg-panel/60",
  mine: "border border-line bg-panel",
  hit: "border-2 border-loss bg-panel",
};

const INDICES = Array.from({ length: SIDE }, (_, index) => index);
/** Keeps a coordinate within the grid. */
const clamped = (place: number): number => Math.min(SIDE - 1, Math.max(0, place));

const cellAt = (row: number, column: number): number => clamped(row) * SIDE + clamped(column);

/** The cell that a key moves to; null for any other key. */
function cellAfter(cell: number, key: string): number | null {
  const [row, column] = [Math.floor(cell / SIDE), cell % SIDE];
  switch (key) {
    case "ArrowUp":
      return cellAt(row - 1, column);
    case "ArrowDown":
      return cellAt(row + 1, column);
    case "ArrowLeft":
      return cellAt(row, column - 1);
    case "ArrowRight":
      return cellAt(row, column + 1);
    case "Home":
      return cellAt(row, 0);
    case "End":
      return cellAt(row, SIDE - 1);
    default:
      return null;
  }
}

type MineGridProps = {
  cells: readonly CellView[];
  /** Whether hidden cells can be revealed. */ isOpen: boolean;
  onReveal(cell: number): void;
};

/** The grid: a single tab stop, within which the arrow keys move. */
export function MineGrid({ cells, isOpen, onReveal }: MineGridProps) {
  const [current, setCurrent] = useState(Math.floor((SIDE * SIDE) / 2));
  const field = useRef<HTMLDivElement>(null);
  function onKeyDown(event: KeyboardEvent) {
    // A held key reveals one cell only.
    if (event.repeat && (event.key === "Enter" || event.key === " ")) return event.preventDefault();
    const next = event.ctrlKey || event.metaKey || event.altKey ? null : cellAfter(current, event.key);
    if (next === null) return undefined;
    event.preventDefault();
    setCurrent(next);
    return field.current?.querySelector<HTMLElement>(`[data-cell="${next}"]`)?.focus();
  }
  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- the cells have the focus, one at a time (ARIA's grid pattern)
    <div
      ref={field}
      role="grid"
      aria-label="Grid of 25 cells"
      onKeyDown={onKeyDown}
      className="mine-grid grid auto-rows-[clamp(44px,calc((100dvh-564px)/5),64px)] grid-cols-5 gap-1.5 lg:auto-rows-[clamp(52px,calc((100dvh-500px)/5),84px)] lg:gap-2 lg:@2xl:auto-rows-[clamp(56px,calc((100dvh-388px)/5),84px)]"
    >
      {INDICES.map((row) => (
        <div key={row} role="row" className="contents">
          {INDICES.map((column) => {
            const cell = row * SIDE + column;
            const view = cells[cell] ?? "hidden";
            const canReveal = isOpen && view === "hidden";
            return (
              <div key={cell} role="gridcell" className="grid">
                <button
                  type="button"
                  data-cell={cell}
                  data-view={view}
                  tabIndex={cell === current ? 0 : -1}
                  aria-label={`Cell ${cell + 1}, ${CELL_LABELS[view]}`}
                  // aria-disabled instead of disabled, which would lose the focus.
                  aria-disabled={!canReveal || undefined}
                  onFocus={() => setCurrent(cell)}
                  onClick={() => canReveal && onReveal(cell)}
                  className={cn(
                    "relative grid place-items-center rounded-control transition-[background-color,transform] duration-[120ms] ease-house",
                    CELL_CLASSES[view],
                    canReveal ? "hover:bg-line active:scale-95" : "cursor-default",
                    !isOpen && view === "hidden" && "opacity-80",
                  )}
                >
                  <Art view={view} />
                  {view === "safe" && <Ripple />}
                </button>
              </div>
            );
          })}
        </div>
      ))}
    </div>
  );
}

/** Once, when a safe cell is revealed; invisible afterwards. */
function Ripple() {
  return (
    <span
      aria-hidden
      data-ripple
      className="pointer-events-none absolute inset-0 rounded-control border-2 border-info opacity-0 animate-[ripple_420ms_var(--ease-house)]"
    />
  );
}

const ART = "size-7 lg:size-11";
const TURNED_UP = "animate-[rise_180ms_var(--ease-house)]";

function Art({ view }: { view: CellView }) {
  switch (view) {
    case "safe":
      return <Gem className={cn(ART, TURNED_UP)} />;
    case "left":
      return <Gem className={cn(ART, "opacity-30")} />;
    case "mine":
      return <Mine className={cn(ART, TURNED_UP)} />;
    case "hit":
      return <Mine isHit className={cn("size-9 lg:size-14", TURNED_UP)} />;
    default:
      return null;
  }
}
