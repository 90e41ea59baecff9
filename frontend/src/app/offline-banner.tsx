import { WifiOff } from "lucide-react";
import { useIsOnline } from "@/lib/online";

/** Shown while there is no network. */
export function OfflineBanner() {
  const isOnline = useIsOnline();
  return (
    // Beside a dialog, too, because of aria-live.
    <div role="status" aria-live="polite">
      {!isOnline && (
        <p className="flex items-center justify-center gap-2 bg-raised px-4 py-2 text-center text-13 text-ink">
          <WifiOff aria-hidden className="size-4 shrink-0" />
          You are offline. What you see may be out of date, and bets cannot be placed.
        </p>
      )}
    </div>
  );
}
