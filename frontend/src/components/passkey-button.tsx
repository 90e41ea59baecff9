import { Fingerprint } from "lucide-react";
import { type ComponentProps, useEffect, useId, useRef } from "react";
import { Button } from "./button";
import { FieldError } from "./field";

type PasskeyButtonProps = Omit<ComponentProps<typeof Button>, "loading" | "ref"> & {
  isBusy: boolean;
  /** What is to be said of the last attempt, if it led nowhere. */
  notice: { text: string; isFailure: boolean } | undefined;
};

/** Has the browser ask for a passkey. */
export function PasskeyButton({ isBusy, notice, children, ...rest }: PasskeyButtonProps) {
  const noteId = useId();
  const button = useRef<HTMLButtonElement>(null);
  // It had the focus until it was disabled: keyboard users try again from here.
  useEffect(() => {
    if (notice !== undefined) button.current?.focus();
  }, [notice]);
  return (
    <div className="grid">
      <Button ref={button} loading={isBusy} aria-describedby={notice && noteId} {...rest}>
        {!isBusy && <Fingerprint aria-hidden className="size-4" />}
        {children}
      </Button>
      <p
        role="status"
        {...(notice?.isFailure === false ? { id: noteId } : {})}
        className="text-13 text-ink-2 not-empty:mt-2"
      >
        {notice?.isFailure === false && notice.text}
      </p>
      {notice?.isFailure === true && (
        <div className="mt-2">
          <FieldError id={noteId}>{notice.text}</FieldError>
        </div>
      )}
    </div>
  );
}
