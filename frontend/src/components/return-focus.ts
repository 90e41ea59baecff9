/**
 * Focuses what has opened a dialog, once that has closed. Radix calls this a moment after the dialog is gone: if another
 * one has been opened since, it keeps the focus, or the keys for it would go elsewhere.
 */
export function returnFocus(opener: Element | null): void {
  const other = document.activeElement?.closest('[role="dialog"]');
  if (other && !other.contains(opener)) return;
  if (opener instanceof HTMLElement) opener.focus({ preventScroll: true });
}
