import { type RefObject, useEffect, useRef } from "react";

type Keys = { onHold(index: number): void; onMain(): void };

const TYPING = "input, textarea, select, [contenteditable=true]";
/** Elements with their own Enter action. A card has none: it is a checkbox and reacts to Space. */
const ACTIVE = "a, button:not([role=checkbox]), summary, [role=menuitem], [role=option]";

/** Keys 1–5 hold, Enter presses the main button, except while typing, on other controls, or behind a dialog. */
export function usePokerKeys(game: RefObject<HTMLElement | null>, keys: Keys): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      const { target, key } = event;
      if (event.defaultPrevented || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
      if (!(target instanceof Element) || target.closest(TYPING) || document.querySelector('[role="dialog"]')) return;
      const isUnmodifiedKey =
        target === document.body || target === document.querySelector("h1") || game.current?.contains(target);
      if (!isUnmodifiedKey) return;
      if (/^[1-5]$/.test(key)) latest.current.onHold(Number(key) - 1);
      else if (key === "Enter" && !target.closest(ACTIVE)) {
        // Otherwise the card would be clicked.
        event.preventDefault();
        latest.current.onMain();
      }
    }
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [game]);
}
