import { useEffect, useRef } from "react";
import { useSessionSummary } from "@/api/session-summary";
import { useOnVisible } from "@/lib/use-on-visible";

/** While autobet plays several rounds a second, the result follows at this pace. */
const WAIT_MS = 1500;

/**
 * Keeps the summary of the session current: it is asked for again when the balance has changed, and when the page
 * becomes visible. The server does not count that as activity.
 */
export function useFreshSummary(balance: string) {
  const summary = useSessionSummary();
  const { mutate } = summary;
  const shown = useRef(balance);
  const ask = useRef(mutate);
  useEffect(() => {
    ask.current = mutate;
  });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    if (shown.current === balance) return;
    shown.current = balance;
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      if (!document.hidden) void ask.current();
    }, WAIT_MS);
  }, [balance]);
  useEffect(() => () => clearTimeout(timer.current), []);
  useOnVisible(() => void mutate());
  return summary;
}
