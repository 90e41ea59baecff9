import { useId } from "react";

type SwitchProps = { label: string; checked: boolean; onCheckedChange(checked: boolean): void; isLocked?: boolean };

/** A switch with its state in words. */
export function Switch({ label, checked, onCheckedChange, isLocked = false }: SwitchProps) {
  const id = useId();
  const state = checked ? "checked" : "unchecked";
  return (
    <div className="flex min-h-[44px] items-center justify-between gap-3">
      <label id={`${id}-label`} htmlFor={id} className="text-13 font-medium text-ink-2">
        {label}
      </label>
      <div className="flex items-center gap-3">
        <span aria-hidden className="text-14 font-semibold">
          {checked ? "On" : "Off"}
        </span>
        {/* The touch target is larger than the switch. */}
        <button
          id={id}
          aria-labelledby={`${id}-label`}
          type="button"
          role="switch"
          aria-checked={checked}
          aria-disabled={isLocked || undefined}
          data-state={state}
          onClick={() => !isLocked && onCheckedChange(!checked)}
          className="group grid h-11 w-12 place-items-center rounded-control"
        >
          <span className="flex h-6 w-11 items-center rounded-full border border-control bg-well p-0.5 transition-colors duration-[120ms] group-data-[state=checked]:border-brass group-data-[state=checked]:bg-brass">
            <span
              data-state={state}
              className="block size-[18px] rounded-full bg-ink transition-transform duration-[120ms] ease-house data-[state=checked]:translate-x-5 data-[state=checked]:bg-on-brass"
            />
          </span>
        </button>
      </div>
    </div>
  );
}
