// The frame of all decision dialogs: what will happen, a way back, and a button that ignores a second click meant for
// the previous one.

import { type ComponentProps, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Button, Dialog } from "@/components";

/** A button that has just appeared ignores presses for this long. */
const ARMING_MS = 600;

function useArmed(step: string): boolean {
  const [armedStep, setArmedStep] = useState<string | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setArmedStep(step), ARMING_MS);
    return () => clearTimeout(timer);
  }, [step]);
  return armedStep === step;
}

/**
 * A busy button has lost the focus. It gets it back, or the dialog does if the button is not armed yet. A focused field
 * keeps it.
 */
function restoreFocus(button: HTMLButtonElement | null): void {
  const dialog = button?.closest<HTMLElement>("[role=dialog]");
  const active = document.activeElement;
  if (active !== document.body && active !== button && active !== dialog) return;
  if (button?.disabled) dialog?.focus();
  else button?.focus();
}

type DecisionDialogProps = {
  title: string;
  description?: ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
  isDestructive?: boolean;
  isBusy: boolean;
  /** In a dialog with several steps, each step's button is a new one. */
  step?: string;
  /** Focuses the first field, if there is one. */
  initialFocus?: ComponentProps<typeof Dialog>["initialFocus"];
  onCancel(): void;
  /** If the way back leads to an earlier step, closing still closes. */
  onClose?(): void;
  onConfirm(): void;
  wide?: boolean;
  /** In the place of the two buttons, once they have nothing to do any more. */
  footer?: ReactNode;
  children?: ReactNode;
};

export function DecisionDialog(props: DecisionDialogProps) {
  const {
    title,
    description,
    confirmLabel,
    cancelLabel = "Cancel",
    isDestructive = false,
    isBusy,
    step = "",
    initialFocus,
    onCancel,
    onClose = onCancel,
    onConfirm,
    wide = false,
    footer,
    children,
  } = props;
  const isArmed = useArmed(step);
  const form = useId();
  const confirm = useRef<HTMLButtonElement>(null);
  const wasBusy = useRef(false);
  useEffect(() => {
    const hasEnded = wasBusy.current && !isBusy;
    wasBusy.current = isBusy;
    if (hasEnded) restoreFocus(confirm.current);
  }, [isBusy]);
  const confirmButton = (
    <Button
      ref={confirm}
      type="submit"
      form={form}
      variant={isDestructive ? "danger" : "primary"}
      disabled={!isArmed || isBusy}
      loading={isBusy}
    >
      {confirmLabel}
    </Button>
  );
  const cancelButton = (
    <Button disabled={isBusy} onClick={onCancel}>
      {cancelLabel}
    </Button>
  );
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && !isBusy && onClose()}
      title={title}
      wide={wide}
      {...(description === undefined ? {} : { description })}
      {...(initialFocus === undefined ? {} : { initialFocus })}
      // The way back is always left, and what acts is right of it.
      footer={
        footer ?? (
          <>
            {cancelButton}
            {confirmButton}
          </>
        )
      }
    >
      <form
        id={form}
        noValidate
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (isArmed && !isBusy) onConfirm();
        }}
      >
        {children}
      </form>
    </Dialog>
  );
}

/** The facts of a decision, each with its name. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-5 gap-y-2 rounded-control bg-well p-4 text-14">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-ink-3">{name}</dt>
          <dd className="min-w-0 break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
