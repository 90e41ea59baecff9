import { Check } from "lucide-react";
import { type ReactNode, useId } from "react";
import { FieldError } from "./field";

type CheckboxProps = {
  checked: boolean;
  onCheckedChange(checked: boolean): void;
  error?: string | undefined;
  children: ReactNode;
};

export function Checkbox({ checked, onCheckedChange, error, children }: CheckboxProps) {
  const id = useId();
  return (
    <div className="grid gap-1.5">
      <div className="flex items-start gap-3">
        <button
          id={id}
          type="button"
          role="checkbox"
          aria-checked={checked}
          data-state={checked ? "checked" : "unchecked"}
          onClick={() => onCheckedChange(!checked)}
          // Only the space bar changes a checkbox; Enter is for the form.
          onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={error === undefined ? undefined : `${id}-error`}
          // The touch target is larger than the icon.
          className="group -mx-2.5 -my-2 grid size-11 shrink-0 place-items-center rounded-control"
        >
          <span className="flex size-6 items-center justify-center rounded-chip border border-control bg-well group-aria-invalid:border-notice group-data-[state=checked]:border-brass group-data-[state=checked]:bg-brass">
            {checked && <Check aria-hidden className="size-4 text-on-brass" strokeWidth={3} />}
          </span>
        </button>
        <label htmlFor={id} className="py-0.5 text-14 text-ink-2">
          {children}
        </label>
      </div>
      {error !== undefined && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  );
}
