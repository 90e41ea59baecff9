import { ToggleGroup } from "radix-ui";

type SegmentedControlProps<T extends string> = {
  label: string;
  value: T;
  onValueChange(value: T): void;
  options: { value: T; label: string }[];
  /** While a round is on: nothing can be chosen, but it keeps the focus. */
  isLocked?: boolean;
};

/** One of two or three choices that stand side by side. */
export function SegmentedControl<T extends string>({
  label,
  value,
  onValueChange,
  options,
  isLocked = false,
}: SegmentedControlProps<T>) {
  return (
    <ToggleGroup.Root
      type="single"
      aria-label={label}
      value={value}
      // Clicking the chosen one again would leave none.
      onValueChange={(next) => next !== "" && !isLocked && onValueChange(next as T)}
      className="flex gap-1 rounded-control bg-well p-1"
    >
      {options.map((option) => (
        <ToggleGroup.Item
          key={option.value}
          value={option.value}
          aria-disabled={isLocked || undefined}
          className="target flex-1 rounded-chip px-3 text-14 font-medium text-ink-2 transition-colors duration-[120ms] hover:text-ink aria-disabled:opacity-55 data-[state=on]:bg-raised data-[state=on]:text-ink"
        >
          {option.label}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}
