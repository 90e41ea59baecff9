import type { ReactNode } from "react";

/** The note that a desktop shows in a game's header; on a phone it is below the game, so that the stage comes first. */
export function GameNote({ children }: { children: ReactNode }) {
  return <p className="text-14 text-ink-2 lg:hidden">{children}</p>;
}
