import { CircleAlert, X } from "lucide-react";
import { Toast as Radix } from "radix-ui";
import { useSyncExternalStore } from "react";
import { cn } from "@/lib/class-names";
import { passEscape } from "./dismissal";
import { dismissToast, TOAST_MS, toastStore } from "./toast-store";

const SWIPE_THRESHOLD_PX = 50;

/** The region where toasts appear. */
export default function ToastRegion() {
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.current);
  return (
    <Radix.Provider duration={TOAST_MS} swipeDirection="right" swipeThreshold={SWIPE_THRESHOLD_PX}>
      {toasts.map((toast) => (
        <Radix.Root
          key={toast.id}
          data-toast
          onEscapeKeyDown={passEscape}
          // Errors interrupt; results are announced when the screen reader has finished, and only here.
          type={toast.variant === "destructive" ? "foreground" : "background"}
          open={toast.isOpen}
          onOpenChange={(isOpen) => !isOpen && dismissToast(toast.id)}
          className={cn(
            // A dialog disables pointer events on the rest of the page; toasts keep them, or a click would hit what is
            // beneath.
            "pointer-events-auto flex items-start gap-3 rounded-panel border bg-raised py-1 pl-4 pr-1 lg:py-2 shadow-float data-[state=open]:animate-[rise_180ms_var(--ease-house)] data-[swipe=move]:translate-x-[var(--radix-toast-swipe-move-x)]",
            toast.variant === "destructive" ? "border-notice" : "border-line",
          )}
        >
          {toast.variant === "destructive" && <CircleAlert aria-hidden className="mt-1 size-5 shrink-0 text-notice" />}
          <div className="grid flex-1 gap-0.5 py-1">
            <Radix.Title className="text-14 font-semibold">{toast.title}</Radix.Title>
            {toast.description !== undefined && (
              <Radix.Description className="text-14 text-ink-2">{toast.description}</Radix.Description>
            )}
          </div>
          <Radix.Close
            aria-label="Dismiss"
            className="flex size-11 items-center justify-center rounded-control text-ink-2 hover:text-ink"
          >
            <X aria-hidden className="size-4" />
          </Radix.Close>
        </Radix.Root>
      ))}
      <Radix.Viewport className="toasts grid gap-2 outline-none" />
    </Radix.Provider>
  );
}
