import type { ComponentProps } from "react";
import { Field, Input } from "./field";
import { TextButton } from "./text-button";

type CodeFieldProps = ComponentProps<typeof Input> & {
  error?: string | undefined;
  /** Whether a recovery code is entered in place of an authenticator's code. */
  isRecovery?: boolean;
  /** Changes between the two; without it there is only the one. */
  onToggle?(): void;
};

/** A field for the second factor. On a phone, codes get the keyboard with digits. */
export function CodeField({ error, isRecovery = false, onToggle, ...rest }: CodeFieldProps) {
  return (
    <div className="grid gap-1">
      <Field
        label={isRecovery ? "Recovery code" : "Code"}
        hint={isRecovery ? "One of the ten codes that you saved." : "The six digits that your authenticator shows."}
        error={error}
      >
        {(ids) => (
          <Input
            {...ids}
            {...rest}
            inputMode={isRecovery ? "text" : "numeric"}
            autoComplete={isRecovery ? "off" : "one-time-code"}
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            maxLength={40}
          />
        )}
      </Field>
      {onToggle && (
        <TextButton onClick={onToggle}>
          {isRecovery ? "Use a code of the authenticator" : "Use a recovery code instead"}
        </TextButton>
      )}
    </div>
  );
}
