import { cn } from "@/lib/class-names";
import type { Place } from "./navigation";
import { useRunningRounds } from "./providers/running-rounds";

/** Whether a round is in play in a game of this entry, on another screen than the one that is shown. */
export function useIsInPlay({ games }: Place): boolean {
  return useRunningRounds().some((game) => games?.includes(game));
}

/** Marks what is going on; beside it stands a word that says so. */
export function InPlayDot({ className }: { className?: string }) {
  return <span aria-hidden className={cn("edge-filled block size-2 rounded-full bg-brass", className)} />;
}
