import { Checkbox as RadixCheckbox } from "radix-ui";
import { Check, CircleAlert } from "lucide-react";
import { type ComponentProps, type ReactNode, useId } from "react";
import { cn } from "@/lib/class-names";

export type FieldIds = { id: string; "aria-describedby"?: string; "aria-invalid"?: true };

type FieldProps = {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  /** Whether the error is left to be read with the field, where something else announces it. */
  isQuiet?: boolean;
  children: (ids: FieldIds) => ReactNode;
};

/** What is wrong with a field. Red is the colour of lost money, so an error has a sign instead. */
function FieldError({ id, isQuiet = false, children }: { id: string; isQuiet?: boolean; children: ReactNode }) {
  return (
    <p id={id} role={isQuiet ? undefined : "alert"} className="flex gap-1.5 text-13 text-ink">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span>{children}</span>
    </p>
  );
}

/** A control with its label, its hint and its error, tied together for screen readers. */
export function Field({ label, hint, error, isQuiet = false, children }: FieldProps) {
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
        <FieldError id={noteId} isQuiet={isQuiet}>
          {error}
        </FieldError>
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
  "h-11 w-full rounded-control border border-control bg-well px-3 text-16 text-ink placeholder:text-ink-3 read-only:text-ink-2 disabled:opacity-55 aria-invalid:border-ink aria-invalid:shadow-[inset_0_0_0_1px_var(--color-ink)] lg:text-14";

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
          className="mt-0.5 flex size-6 shrink-0 items-center justify-center rounded-chip border border-control bg-well aria-invalid:border-ink aria-invalid:shadow-[inset_0_0_0_1px_var(--color-ink)] data-[state=checked]:border-brass data-[state=checked]:bg-brass"
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
        <FieldError id={`${id}-error`}>{error}</FieldError>
      )}
    </div>
  );
}
