import type { ReactNode } from "react";

/** On a phone, what a game's header says on a desktop: it stands beneath the game, so that the stage comes first. */
export function GameNote({ children }: { children: ReactNode }) {
  return <p className="text-14 text-ink-2 lg:hidden">{children}</p>;
}
