import { cn } from "@/lib/class-names";
import type { DiceBetType } from "./api";
import { MAX_TARGET, MIN_TARGET } from "./rules";
import { type PastRoll, rollMarks } from "./use-last-rolls";

type DiceTrackProps = {
  /** Where the handle stands. */
  target: number;
  /** Whether the target is valid: without one there is no winning zone. */
  hasZone: boolean;
  side: DiceBetType;
  isLocked: boolean;
  rolls: readonly PastRoll[];
  /** The roll to point at, and whether it has won; null for a roll that is not over. */
  pointer: { roll: number; isWin: boolean | null } | null;
  onTargetChange(target: number): void;
};

const MAX_ROWS = 6;
const SCALE = [0, 25, 50, 75, 100];

/**
 * The track from 0 to 100, which is also the slider for the target: with its winning zone, the last rolls as marks on
 * it, and a pointer at the current one.
 */
export function DiceTrack({ target, hasZone, side, isLocked, rolls, pointer, onTargetChange }: DiceTrackProps) {
  return (
    <div className="relative mx-2">
      <Marks rolls={rolls} />
      <div className="relative h-11">
        <div data-testid="track" className="edge absolute inset-x-0 top-4 h-3 rounded-full bg-line" />
        {hasZone && (
          <div
            data-testid="winning-zone"
            className="edge-filled absolute top-4 h-3 rounded-full bg-brass"
            style={side === "over" ? { left: `${target}%`, right: 0 } : { left: 0, width: `${target}%` }}
          />
        )}
        <input
          type="range"
          aria-label="Target number"
          aria-disabled={isLocked || undefined}
          min={MIN_TARGET}
          max={MAX_TARGET}
          value={target}
          onChange={(event) => !isLocked && onTargetChange(event.target.valueAsNumber)}
          className="target-slider peer"
        />
        <span
          aria-hidden
          className={cn(
            "pointer-events-none absolute top-0 grid h-11 w-10 -translate-x-1/2 place-items-center rounded-control border-2 bg-well text-14 font-bold peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-brass",
            isLocked ? "border-control text-ink-2" : "border-ink",
          )}
          style={{ left: `${target}%` }}
        >
          {target}
        </span>
      </div>
      <div aria-hidden className="relative h-4 text-12 text-ink-3">
        {SCALE.map((mark) => (
          <span key={mark} className="absolute -translate-x-1/2" style={{ left: `${mark}%` }}>
            {mark}
          </span>
        ))}
      </div>
      <Pointer pointer={pointer} />
    </div>
  );
}

function Marks({ rolls }: { rolls: readonly PastRoll[] }) {
  return (
    <div aria-hidden data-testid="roll-marks" className="relative h-[72px] low:h-12 sm:h-[84px]">
      {rollMarks(rolls, MAX_ROWS).map(({ id, roll, row, opacity, isWin }) => (
        <span
          key={id}
          className={cn(
            "absolute h-2 w-1 -translate-x-1/2 rounded-full low:h-1.5 sm:h-2.5 sm:w-1.5",
            isWin ? "bg-win" : "bg-ink-3",
          )}
          style={{ left: `${roll}%`, bottom: `${(row * 100) / MAX_ROWS}%`, opacity }}
        />
      ))}
    </div>
  );
}

/** Below the track: a triangle and the roll. It moves by its transform only. */
function Pointer({ pointer }: { pointer: DiceTrackProps["pointer"] }) {
  return (
    <div aria-hidden className="h-11">
      {pointer && (
        <div
          data-testid="roll-pointer"
          className="transition-transform duration-[120ms] ease-house"
          style={{ transform: `translateX(${pointer.roll}%)` }}
        >
          <span
            className={cn(
              "grid w-10 -translate-x-1/2 justify-items-center text-20 font-bold",
              pointer.isWin === null ? "text-ink-2" : pointer.isWin ? "text-win" : "text-ink",
            )}
          >
            <svg viewBox="0 0 16 10" className="h-2.5 w-4 fill-current">
              <path d="M8 0 16 10H0z" />
            </svg>
            {pointer.roll}
          </span>
        </div>
      )}
    </div>
  );
}
