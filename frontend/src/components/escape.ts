import type { KeyboardEvent } from "react";

/**
 * Escape key events that a toast passed on. As the topmost layer, the toast is the only one that Radix sends them to.
 */
const passed = new WeakSet<Event>();

/** For a toast: if a dialog or a menu is open, Escape is for that, unless the toast has the focus. */
export function passEscape(event: globalThis.KeyboardEvent): void {
  if (event.target instanceof Element && event.target.closest("[data-toast]")) return;
  if (!document.querySelector('[role="dialog"], [role="menu"]')) return;
  passed.add(event);
  event.preventDefault();
}

/** For the content of a dialog or a menu: closes it with the Escape that a toast passed on. */
export function closeOnPassedEscape(close: () => void) {
  return (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !passed.has(event.nativeEvent)) return;
    // The layer that contains this one stays open.
    event.stopPropagation();
    close();
  };
}
