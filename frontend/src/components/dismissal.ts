// Closing dialogs by Escape and by a click beside them.
//
// Radix starts to listen for the dialog below only a moment after the one above it has closed: a key or a click in
// between would be lost. So an overlay closes its dialog itself, and handles an Escape that Radix has missed.

/**
 * Escape key events that a toast passed on. As the topmost layer, the toast is the only one that Radix sends them to.
 */
const passed = new WeakSet<Event>();

/** For a toast: if a dialog or a menu is open, Escape is for that, unless the toast has the focus. */
export function passEscape(event: KeyboardEvent): void {
  if (event.target instanceof Element && event.target.closest("[data-toast]")) return;
  if (!document.querySelector('[role="dialog"], [role="menu"]')) return;
  passed.add(event);
  event.preventDefault();
}

function closeTopmost(event: KeyboardEvent): void {
  if (event.key !== "Escape" || (event.defaultPrevented && !passed.has(event))) return;
  [...document.querySelectorAll<HTMLElement>("[data-overlay]")].at(-1)?.click();
}

// Tests of what needs no page import this as well.
if (typeof document !== "undefined") document.addEventListener("keydown", closeTopmost);

/** For the overlay of a dialog. */
export const closing = (close: () => void) => ({ "data-overlay": true, onClick: close });

/** For the content of a dialog with such an overlay. */
export const leaveClicksToOverlay = { onPointerDownOutside: (event: Event) => event.preventDefault() };
