import { cn } from "@/lib/class-names";
import type { Place } from "./navigation";
import { useRunningRounds } from "./providers/running-rounds";

/** Whether a game of this entry has a round in play on another screen. */
export function useIsInPlay({ games }: Place): boolean {
  return useRunningRounds().some((game) => games?.includes(game));
}

/** Marks a round in play; the text next to it says so. */
export function InPlayDot({ className }: { className?: string }) {
  return <span aria-hidden className={cn("edge-filled block size-2 rounded-full bg-brass", className)} />;
}
