import { ToggleGroup } from "radix-ui";

type SegmentedControlProps<T extends string> = {
  label: string;
  value: T;
  onValueChange(value: T): void;
  options: { value: T; label: string }[];
  /** During a round it is read-only but keeps the focus. */
  isLocked?: boolean;
};

/** Two or three options side by side, one of them selected. */
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
      // Clicking the selected option would deselect it.
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
