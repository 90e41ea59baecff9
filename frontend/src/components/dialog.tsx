import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { type ReactNode, type RefObject, useRef } from "react";
import { cn } from "@/lib/class-names";
import { Button, IconButton } from "./button";
import { closing, leaveClicksToOverlay } from "./dismissal";
import { returnFocus } from "./return-focus";

type DialogProps = {
  open: boolean;
  onOpenChange(open: boolean): void;
  title: string;
  description?: ReactNode;
  children?: ReactNode;
  footer?: ReactNode;
  wide?: boolean;
  /** Whether only what is in it closes it: no close button, no Escape, no click beside it. */
  mustAnswer?: boolean;
  /** Whether the top stays where it is when the content changes its height, as with tabs. On a phone the bottom does. */
  fixedTop?: boolean;
  /**
   * What receives the focus first, or a function that sets it. On a touch screen nothing does, because the on-screen
   * keyboard would cover the dialog.
   */
  initialFocus?: RefObject<HTMLElement | null> | (() => void);
};

/** A dialog; on a phone it is a bottom sheet. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  children,
  footer,
  wide = false,
  mustAnswer = false,
  fixedTop = false,
  initialFocus,
}: DialogProps) {
  const opener = useRef<Element | null>(null);
  const close = () => onOpenChange(false);
  function focusFirst(event: Event) {
    opener.current = document.activeElement;
    const target = typeof initialFocus === "function" ? { focus: initialFocus } : initialFocus?.current;
    if (!target || !window.matchMedia("(pointer: fine)").matches) return;
    event.preventDefault();
    target.focus();
  }
  /** Keyboard users continue where the dialog was opened. */
  function focusOpener(event: Event) {
    event.preventDefault();
    returnFocus(opener.current);
  }
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay
          {...closing(close)}
          className="fixed inset-0 z-50 bg-well/80 data-[state=open]:animate-[flash_180ms_var(--ease-house)]"
        />
        <Radix.Content
          onOpenAutoFocus={focusFirst}
          onCloseAutoFocus={focusOpener}
          {...leaveClicksToOverlay}
          data-sheet
          {...(description === undefined ? { "aria-describedby": undefined } : {})}
          className={cn(
            "sheet fixed z-50 flex flex-col bg-panel shadow-float outline-none data-[state=open]:animate-[rise_180ms_var(--ease-house)]",
            "inset-x-0 bottom-0 rounded-t-panel short:left-4 short:translate-x-0 sm:inset-auto sm:left-1/2 sm:w-full sm:-translate-x-1/2 sm:rounded-panel",
            fixedTop ? "sm:sheet-top" : "sm:top-1/2 sm:-translate-y-1/2",
            wide ? "sm:max-w-[640px]" : "sm:max-w-[440px]",
          )}
        >
          <div className="flex items-start justify-between gap-4 px-6 pt-5">
            <div className="grid gap-1">
              <Radix.Title className="text-20 font-semibold">{title}</Radix.Title>
              {description !== undefined && (
                <Radix.Description className="text-14 text-ink-2">{description}</Radix.Description>
              )}
            </div>
            {!mustAnswer && (
              <Radix.Close asChild>
                <IconButton label="Close" icon={<X className="size-5" />} className="-mr-3 -mt-2" />
              </Radix.Close>
            )}
          </div>
          <div className="min-h-0 overflow-y-auto px-6 py-5">{children}</div>
          {footer !== undefined && (
            <div className="flex flex-wrap justify-end gap-3 border-t border-line px-6 py-4">{footer}</div>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

type ConfirmDialogProps = {
  open: boolean;
  onOpenChange(open: boolean): void;
  title: string;
  description: ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
  /** For a cancel button that does more than close the dialog. */
  onCancel?(): void;
  onConfirm(): void;
};

/** Asks for confirmation. */
export function ConfirmDialog({
  confirmLabel,
  cancelLabel = "Cancel",
  onCancel,
  onConfirm,
  ...dialog
}: ConfirmDialogProps) {
  return (
    <Dialog
      {...dialog}
      footer={
        <>
          <Button onClick={onCancel ?? (() => dialog.onOpenChange(false))}>{cancelLabel}</Button>
          <Button variant="primary" onClick={onConfirm}>
            {confirmLabel}
          </Button>
        </>
      }
    />
  );
}
