import { useSyncExternalStore } from "react";

function subscribe(listener: () => void): () => void {
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}

/** Whether the browser has a network. That it has one does not mean that the server can be reached. */
export const isOnline = (): boolean => navigator.onLine;

export const useIsOnline = (): boolean => useSyncExternalStore(subscribe, isOnline);
