import type { ReactNode } from "react";

/**
 * Keeps what is in it available to screen readers beside an open dialog, also what appears later. A dialog hides
 * everything else from them when it opens, except elements with `aria-live` and the way to them, so this element is
 * there from the beginning.
 */
export function BesideDialogs({ children }: { children: ReactNode }) {
  return <div aria-live="off">{children}</div>;
}
