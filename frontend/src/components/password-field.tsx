import { Eye, EyeOff } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { Field, Input } from "./field";

export type PasswordFieldProps = Omit<ComponentProps<typeof Input>, "type"> & {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  /** Follows the input. */
  meter?: ReactNode;
  isShown: boolean;
  /** Set on the field with the show/hide switch. */
  onToggle?(): void;
  /** The name of the switch, on a form with several. */
  toggleLabel?: string;
};

/** A password field with a switch to show what was typed. */
export function PasswordField({
  label,
  hint,
  error,
  meter,
  isShown,
  onToggle,
  toggleLabel = "Show password",
  ...rest
}: PasswordFieldProps) {
  const Icon = isShown ? EyeOff : Eye;
  return (
    <Field label={label} {...(hint === undefined ? {} : { hint })} error={error}>
      {(ids) => (
        <>
          <div className="relative">
            <Input
              {...ids}
              {...rest}
              type={isShown ? "text" : "password"}
              autoCapitalize="none"
              autoCorrect="off"
              spellCheck={false}
              {...(onToggle ? { className: "pr-12" } : {})}
            />
            {onToggle && (
              <button
                type="button"
                aria-label={toggleLabel}
                aria-pressed={isShown}
                onClick={onToggle}
                className="absolute inset-y-0 right-0 flex w-11 items-center justify-center rounded-control text-ink-2 hover:text-ink"
              >
                <Icon aria-hidden className="size-4" />
              </button>
            )}
          </div>
          {meter}
        </>
      )}
    </Field>
  );
}
