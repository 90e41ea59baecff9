import { CircleAlert } from "lucide-react";
import { type ComponentProps, type ReactNode, useId } from "react";
import { cn } from "@/lib/class-names";

export type FieldIds = { id: string; "aria-describedby"?: string; "aria-invalid"?: true };

type FieldProps = {
  label: string;
  /** Whether it is in a phone's dock, which has no room for a label and a hint; screen readers still get them. */
  isDocked?: boolean;
  hint?: ReactNode;
  error?: string | undefined;
  /** Whether the error is not announced by the field, because something else announces it. */
  isQuiet?: boolean;
  children: (ids: FieldIds) => ReactNode;
};

/** A field's error. Red is reserved for lost money, so an error has an icon instead. */
export function FieldError({ id, isQuiet = false, children }: { id: string; isQuiet?: boolean; children: ReactNode }) {
  return (
    <p id={id} role={isQuiet ? undefined : "alert"} className="flex gap-1.5 text-13 text-notice">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span>{children}</span>
    </p>
  );
}

/** A control with its label, hint and error, connected for screen readers. */
export function Field({ label, isDocked = false, hint, error, isQuiet = false, children }: FieldProps) {
  const id = useId();
  const noteId = `${id}-note`;
  const ids: FieldIds = { id };
  if (hint !== undefined || error !== undefined) ids["aria-describedby"] = noteId;
  if (error !== undefined) ids["aria-invalid"] = true;
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className={cn("text-13 font-medium text-ink-2", isDocked && "dock-label")}>
        {label}
      </label>
      {children(ids)}
      {error !== undefined ? (
        <FieldError id={noteId} isQuiet={isQuiet}>
          {error}
        </FieldError>
      ) : (
        hint !== undefined && (
          <p id={noteId} className={cn("text-13 text-ink-3", isDocked && "dock-label")}>
            {hint}
          </p>
        )
      )}
    </div>
  );
}

export function Input({ className, ...rest }: ComponentProps<"input">) {
  return <input className={cn("input", className)} {...rest} />;
}
