import type { KeyboardEvent } from "react";

const HORIZONTAL: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };
const VERTICAL: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };

function indexAfter(key: string, current: number, count: number, axis: "horizontal" | "vertical" | "both") {
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  const step =
    (axis === "vertical" ? undefined : HORIZONTAL[key]) ?? (axis === "horizontal" ? undefined : VERTICAL[key]);
  if (step === undefined) return null;
  // With no current item, the first or the last one is next.
  return current === -1 ? (step > 0 ? 0 : count - 1) : (current + step + count) % count;
}

/**
 * Moves the focus along the items of a composite control with the arrow keys, Home and End, beginning again at the other
 * end. Returns the index of the item that got the focus, null if it stays.
 */
export function moveFocus(
  event: KeyboardEvent<HTMLElement>,
  itemSelector: string,
  axis: "horizontal" | "vertical" | "both",
): number | null {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return null;
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>(itemSelector)];
  const current = items.findIndex((item) => item === document.activeElement);
  const next = items.length === 0 ? null : indexAfter(event.key, current, items.length, axis);
  if (next === null) return null;
  event.preventDefault();
  items[next]?.focus();
  return next;
}
