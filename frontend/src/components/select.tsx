import { ChevronDown } from "lucide-react";
import type { Ref } from "react";
import { cn } from "@/lib/class-names";
import type { FieldIds } from "./field";

type SelectProps = Partial<FieldIds> & {
  label: string;
  value: string;
  onValueChange(value: string): void;
  /** The detail follows the label. */
  options: readonly { value: string; label: string; detail?: string | undefined }[];
  disabled?: boolean;
  className?: string;
  ref?: Ref<HTMLSelectElement> | undefined;
};

/**
 * A native select: its list is outside the page, so nothing has to be hidden from screen readers while it is open, and
 * a phone shows its own picker.
 */
export function Select({
  label,
  value,
  onValueChange,
  options,
  disabled = false,
  className,
  ref,
  ...ids
}: SelectProps) {
  return (
    <div className={cn("relative", className)}>
      <select
        ref={ref}
        aria-label={label}
        {...ids}
        value={value}
        disabled={disabled}
        onChange={(event) => onValueChange(event.target.value)}
        className="h-11 w-full cursor-pointer appearance-none truncate rounded-control border border-control bg-well pl-3 pr-9 text-16 text-ink disabled:cursor-not-allowed disabled:opacity-55 aria-invalid:border-notice lg:text-14"
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.detail === undefined ? option.label : `${option.label}, ${option.detail}`}
          </option>
        ))}
      </select>
      <ChevronDown aria-hidden className="pointer-events-none absolute right-3 top-3.5 size-4 text-ink-2" />
    </div>
  );
}
