import type { KeyboardEvent } from "react";
import { moveFocus } from "./arrow-keys";

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
  function select(option: { value: T } | undefined) {
    if (option && option.value !== value && !isLocked) onValueChange(option.value);
  }
  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const index = moveFocus(event, '[role="radio"]', "both");
    if (index !== null) select(options[index]);
  }
  return (
    <div
      role="radiogroup"
      aria-label={label}
      // The radios receive the focus.
      tabIndex={-1}
      onKeyDown={onKeyDown}
      className="grid auto-cols-fr grid-flow-col gap-1 rounded-control bg-well p-1 outline-none"
    >
      {options.map((option) => {
        const isSelected = option.value === value;
        return (
          <button
            key={option.value}
            type="button"
            role="radio"
            aria-checked={isSelected}
            aria-disabled={isLocked || undefined}
            data-state={isSelected ? "on" : "off"}
            tabIndex={isSelected ? 0 : -1}
            onClick={() => select(option)}
            className="target min-w-11 flex-1 rounded-chip px-3 text-14 font-medium text-ink-2 transition-colors duration-[120ms] hover:text-ink aria-disabled:opacity-55 data-[state=on]:bg-raised data-[state=on]:text-ink"
          >
            {option.label}
          </button>
        );
      })}
    </div>
  );
}
