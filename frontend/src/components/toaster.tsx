import { X } from "lucide-react";
import { Suspense, useEffect, useSyncExternalStore } from "react";
import { ErrorBoundary } from "react-error-boundary";
import { cn } from "@/lib/class-names";
import { useWasIdle } from "@/lib/idle";
import { lazyPart, renewParts } from "@/lib/lazy-part";
import { BesideDialogs } from "./beside-dialogs";
import { dismissToast, TOAST_MS, toastStore } from "./toast-store";

const Region = lazyPart(() => import("./toast-region"));

/**
 * The place where toasts appear. The code that times them, takes swipes and announces them is loaded when the browser
 * is idle or the first toast is shown. Until it is there the toast is only visible; without it, it is announced as an
 * alert.
 */
export function Toaster() {
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.current);
  const wasIdle = useWasIdle();
  return (
    <BesideDialogs>
      {(wasIdle || toasts.length > 0) && (
        // With the next toast the code is requested again.
        <ErrorBoundary
          resetKeys={[toasts[0]?.id]}
          onError={renewParts}
          fallback={
            <div role="alert">
              <PlainToasts />
            </div>
          }
        >
          <Suspense fallback={<PlainToasts />}>
            <Region />
          </Suspense>
        </ErrorBoundary>
      )}
    </BesideDialogs>
  );
}

function PlainToasts() {
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.current);
  const openId = toasts.find(({ isOpen }) => isOpen)?.id;
  useEffect(() => {
    if (openId === undefined) return undefined;
    const timer = setTimeout(() => dismissToast(openId), TOAST_MS);
    return () => clearTimeout(timer);
  }, [openId]);
  return (
    <section aria-label="Notifications">
      <ol className="toasts grid gap-2">
        {toasts
          .filter(({ isOpen }) => isOpen)
          .map(({ id, title, description, variant }) => (
            <li
              key={id}
              data-toast
              className={cn(
                "flex items-start gap-3 rounded-panel border bg-raised py-1 pl-4 pr-1 shadow-float",
                variant === "destructive" ? "border-notice" : "border-line",
              )}
            >
              <div className="grid flex-1 gap-0.5 py-1">
                <p className="text-14 font-semibold">{title}</p>
                {description !== undefined && <p className="text-14 text-ink-2">{description}</p>}
              </div>
              <button
                type="button"
                aria-label="Dismiss"
                className="flex size-11 items-center justify-center rounded-control text-ink-2 hover:text-ink"
                onClick={() => dismissToast(id)}
              >
                <X aria-hidden className="size-4" />
              </button>
            </li>
          ))}
      </ol>
    </section>
  );
}
