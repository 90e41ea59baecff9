import { Slider as Radix } from "radix-ui";
import { cn } from "@/lib/class-names";

type SliderProps = {
  label: string;
  value: number;
  min: number;
  max: number;
  onValueChange(value: number): void;
  /** During a round it is read-only but keeps the focus. */
  isLocked?: boolean;
};

/** A slider for a number. */
export function Slider({ label, value, min, max, onValueChange, isLocked = false }: SliderProps) {
  return (
    <Radix.Root
      value={[value]}
      min={min}
      max={max}
      step={1}
      onValueChange={([next]) => next !== undefined && !isLocked && onValueChange(next)}
      className={cn("relative flex h-11 touch-none items-center", isLocked && "opacity-55")}
    >
      <Radix.Track className="edge relative h-2 flex-1 rounded-full bg-line">
        <Radix.Range className="edge-filled absolute h-full rounded-full bg-ink-3" />
      </Radix.Track>
      {/* The touch target is larger than the thumb. */}
      <Radix.Thumb
        aria-label={label}
        aria-disabled={isLocked || undefined}
        className="grid size-11 place-items-center rounded-control"
      >
        <span className="block size-6 rounded-chip border-2 border-ink bg-raised" />
      </Radix.Thumb>
    </Radix.Root>
  );
}
