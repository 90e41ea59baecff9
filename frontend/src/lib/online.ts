import { useSyncExternalStore } from "react";

function subscribe(listener: () => void): () => void {
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}

/** Whether the browser has a network connection, which does not mean that the server is reachable. */
export const isOnline = (): boolean => navigator.onLine;

export const useIsOnline = (): boolean => useSyncExternalStore(subscribe, isOnline);
