import { useEffect, useRef } from "react";

/** While a round is on, the bet's fields keep the focus but take no text: there the key cashes out. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement
    ? !target.readOnly
    : target instanceof HTMLElement && (target.isContentEditable || ["TEXTAREA", "SELECT"].includes(target.tagName));

/** The key C cashes out while playing: not while typing, and not behind an open dialog. */
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
