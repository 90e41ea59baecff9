import { Slider as Radix } from "radix-ui";

type SliderProps = {
  label: string;
  value: number;
  min: number;
  max: number;
  onValueChange(value: number): void;
  disabled?: boolean;
};

/** A number on a track. */
export function Slider({ label, value, min, max, onValueChange, disabled = false }: SliderProps) {
  return (
    <Radix.Root
      value={[value]}
      min={min}
      max={max}
      step={1}
      disabled={disabled}
      onValueChange={([next]) => next !== undefined && onValueChange(next)}
      className="relative flex h-11 touch-none items-center data-[disabled]:opacity-55"
    >
      <Radix.Track className="relative h-2 flex-1 rounded-full bg-line">
        <Radix.Range className="absolute h-full rounded-full bg-ink-3" />
      </Radix.Track>
      <Radix.Thumb aria-label={label} className="block size-6 rounded-chip border-2 border-ink bg-raised" />
    </Radix.Root>
  );
}
