import { useEffect, useRef } from "react";

/** Calls when a person comes back to the page: something may have happened in another tab. */
export function useReturn(onReturn: () => void): void {
  const latest = useRef(onReturn);
  useEffect(() => {
    latest.current = onReturn;
  });
  useEffect(() => {
    const onFocus = () => latest.current();
    const onVisible = () => document.visibilityState === "visible" && latest.current();
    window.addEventListener("focus", onFocus);
    document.addEventListener("visibilitychange", onVisible);
    return () => {
      window.removeEventListener("focus", onFocus);
      document.removeEventListener("visibilitychange", onVisible);
    };
  }, []);
}
