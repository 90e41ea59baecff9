import { useEffect, useRef } from "react";

/** During a round the bet's fields are focusable but read-only: there the key cashes out. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement
    ? !target.readOnly
    : target instanceof HTMLElement && (target.isContentEditable || ["TEXTAREA", "SELECT"].includes(target.tagName));

/** The key C cashes out during a round, except while typing or behind an open dialog. */
export function useCashOutKey(isPlaying: boolean, cashOut: () => void): void {
  const latest = useRef(cashOut);
  useEffect(() => {
    latest.current = cashOut;
  });
  useEffect(() => {
    if (!isPlaying) return undefined;
    const onKey = (event: KeyboardEvent) => {
      const isPlain = !event.repeat && !event.ctrlKey && !event.metaKey && !event.altKey;
      if (event.key.toLowerCase() !== "c" || !isPlain || isTyping(event.target)) return;
      if (document.querySelector('[role="dialog"]') !== null) return;
      latest.current();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [isPlaying]);
}
