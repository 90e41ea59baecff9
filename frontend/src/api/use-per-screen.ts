import { useCallback, useEffect, useRef } from "react";
import useSWR from "swr";
import { useOnVisible } from "@/lib/use-on-visible";

/**
 * What is the same for all users, loaded when a screen is opened or becomes visible again, never by a timer, which would
 * keep the session of an absent user alive. What was loaded before stays meanwhile.
 */
export function usePerScreen<T>(what: string, load: () => Promise<T>, screen: string) {
  const { data, error, mutate } = useSWR(what, load, { keepPreviousData: true });
  const hasFailed = error !== undefined;
  useEffect(() => {
    if (hasFailed) console.warn(`The ${what} could not be loaded`, error);
  }, [what, hasFailed, error]);
  const refresh = useCallback(async () => void (await mutate()), [mutate]);
  useOnVisible(() => void refresh());
  const shownScreen = useRef(screen);
  useEffect(() => {
    if (shownScreen.current === screen) return;
    shownScreen.current = screen;
    void refresh();
  }, [screen, refresh]);
  return { data, hasFailed, refresh };
}
