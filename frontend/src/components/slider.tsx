import { cn } from "@/lib/class-names";

type SliderProps = {
  label: string;
  value: number;
  min: number;
  max: number;
  onValueChange(value: number): void;
  /** Once it is let go, or after a key. */
  onCommit?(): void;
  /** During a round it is read-only but keeps the focus. */
  isLocked?: boolean;
};

/** The browser's own slider, over a track and a thumb of our own. */
export function Slider({ label, value, min, max, onValueChange, onCommit, isLocked = false }: SliderProps) {
  const share = max > min ? (Math.min(Math.max(value, min), max) - min) / (max - min) : 0;
  // The centre of the thumb stays within the slider by half of its target of 44 px.
  const centre = `calc(22px + ${share} * (100% - 44px))`;
  return (
    <div className={cn("relative flex h-11 items-center", isLocked && "opacity-55")}>
      <div className="edge relative h-2 flex-1 rounded-full bg-line">
        <div className="edge-filled absolute h-full rounded-full bg-ink-3" style={{ width: centre }} />
      </div>
      <div className="absolute inset-0">
        <input
          type="range"
          aria-label={label}
          aria-disabled={isLocked || undefined}
          value={value}
          min={min}
          max={max}
          onChange={(event) => !isLocked && onValueChange(event.target.valueAsNumber)}
          onPointerUp={onCommit}
          onKeyUp={onCommit}
          className="slider peer"
        />
        <span
          aria-hidden
          style={{ left: centre }}
          className="pointer-events-none absolute top-0 grid size-11 -translate-x-1/2 place-items-center rounded-control peer-focus-visible:outline-2 peer-focus-visible:outline-brass"
        >
          <span className="block size-6 rounded-chip border-2 border-ink bg-raised" />
        </span>
      </div>
    </div>
  );
}
