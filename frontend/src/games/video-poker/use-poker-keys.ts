import { type RefObject, useLayoutEffect, useRef } from "react";
import { useHotkeys } from "@/lib/hotkeys";
import { CARDS } from "./state";

type Keys = {
  /** Returns false if nothing can be held now. */
  onHold(index: number): boolean;
  onMain(): void;
  /** Returns false if no hand can be dealt now. */
  onRepeat(): boolean;
};

const TYPING = "input, textarea, select, [contenteditable=true]";
/** Elements with their own Enter action. A card has none: it is a checkbox and reacts to Space. */
const ACTIVE = "a, button:not([role=checkbox]), summary, [role=menuitem], [role=option]";

/** Keys 1–5 hold, D deals again; Enter presses the main button, except while typing or on other controls. */
export function usePokerKeys(game: RefObject<HTMLElement | null>, { onHold, onMain, onRepeat }: Keys): void {
  useHotkeys([
    ...CARDS.map((index) => ({
      key: String(index + 1),
      label: `Hold or release card ${index + 1}`,
      run: () => onHold(index),
    })),
    { key: "d", label: "Deal again with the same bet", run: onRepeat },
  ]);
  const latest = useRef(onMain);
  useLayoutEffect(() => {
    latest.current = onMain;
  });
  useLayoutEffect(() => {
    function onKey(event: KeyboardEvent) {
      const { target, key } = event;
      if (event.defaultPrevented || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
      if (!(target instanceof Element) || target.closest(TYPING) || document.querySelector('[role="dialog"]')) return;
      const isOnGame =
        target === document.body || target === document.querySelector("h1") || game.current?.contains(target) === true;
      if (key !== "Enter" || !isOnGame || target.closest(ACTIVE)) return;
      // Otherwise the card would be clicked.
      event.preventDefault();
      latest.current();
    }
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [game]);
}
