import { isOnline } from "@/lib/online";
import { heldBy, onHoldChange } from "@/lib/play-hold";

/** A connection that a game needs besides its calls. */
export type Connection = { subscribe(listener: () => void): () => void; isLost(): boolean };

/** Why no bet may be placed at the moment: nobody watches, nothing would arrive, or the player is asked something. */
export function pauseReason(connection: Connection | null): string | null {
  if (document.hidden) return "This tab is in the background.";
  if (!isOnline()) return "You are offline.";
  if (connection?.isLost() === true) return "The connection to Glasshouse is lost.";
  return heldBy();
}

/** Calls back when `pauseReason` may have changed. */
export function onPauseChange(connection: Connection | null, listener: () => void): () => void {
  document.addEventListener("visibilitychange", listener);
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  const stops = [onHoldChange(listener), connection?.subscribe(listener)];
  return () => {
    document.removeEventListener("visibilitychange", listener);
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
    for (const stop of stops) stop?.();
  };
}
