import type { KeyboardEvent } from "react";

/** Key presses that a toast let pass; the topmost layer on the page, it is the only one that Radix tells of them. */
const passed = new WeakSet<Event>();

/**
 * To be called by a toast: where a dialog or a menu is open, Escape is meant for that, unless the toast itself has
 * the focus.
 */
export function passEscape(event: globalThis.KeyboardEvent): void {
  if (event.target instanceof Element && event.target.closest("[data-toast]")) return;
  if (!document.querySelector('[role="dialog"], [role="menu"]')) return;
  passed.add(event);
  event.preventDefault();
}

/** For the content of a dialog or a menu: closes it with the Escape that a toast let pass. */
export function closeOnPassedEscape(close: () => void) {
  return (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !passed.has(event.nativeEvent)) return;
    // What this lies in stays open.
    event.stopPropagation();
    close();
  };
}
