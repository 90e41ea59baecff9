import { Checkbox as RadixCheckbox } from "radix-ui";
import { Check } from "lucide-react";
import { type ComponentProps, type ReactNode, useId } from "react";
import { cn } from "@/lib/class-names";

export type FieldIds = { id: string; "aria-describedby"?: string; "aria-invalid"?: true };

type FieldProps = {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  children: (ids: FieldIds) => ReactNode;
};

/** A control with its label, its hint and its error, tied together for screen readers. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const noteId = `${id}-note`;
  const ids: FieldIds = { id };
  if (hint !== undefined || error !== undefined) ids["aria-describedby"] = noteId;
  if (error !== undefined) ids["aria-invalid"] = true;
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-13 font-medium text-ink-2">
        {label}
      </label>
      {children(ids)}
      {error !== undefined ? (
        <p id={noteId} role="alert" className="text-13 text-loss">
          {error}
        </p>
      ) : (
        hint !== undefined && (
          <p id={noteId} className="text-13 text-ink-3">
            {hint}
          </p>
        )
      )}
    </div>
  );
}

const INPUT =
  "h-11 w-full rounded-control border border-control bg-well px-3 text-16 text-ink placeholder:text-ink-3 disabled:opacity-55 aria-invalid:border-loss lg:text-14";

export function Input({ className, ...rest }: ComponentProps<"input">) {
  return <input className={cn(INPUT, className)} {...rest} />;
}

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
        <RadixCheckbox.Root
          id={id}
          checked={checked}
          onCheckedChange={(next) => onCheckedChange(next === true)}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={error === undefined ? undefined : `${id}-error`}
          className="mt-0.5 flex size-6 shrink-0 items-center justify-center rounded-chip border border-control bg-well aria-invalid:border-loss data-[state=checked]:border-brass data-[state=checked]:bg-brass"
        >
          <RadixCheckbox.Indicator>
            <Check aria-hidden className="size-4 text-on-brass" strokeWidth={3} />
          </RadixCheckbox.Indicator>
        </RadixCheckbox.Root>
        <label htmlFor={id} className="py-0.5 text-14 text-ink-2">
          {children}
        </label>
      </div>
      {error !== undefined && (
        <p id={`${id}-error`} role="alert" className="text-13 text-loss">
          {error}
        </p>
      )}
    </div>
  );
}
