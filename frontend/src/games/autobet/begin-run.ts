import type { RefObject } from "react";
import { toast } from "@/components/toast-store";
import { exclusively } from "./exclusive";
import { firstProblem, planOf } from "./form";
import { onPauseChange, pauseReason } from "./pause";
import type { Plan } from "./rules";
import { AutobetRun, type BetTable, type RunState } from "./run";
import type { AutobetGame } from "./use-autobet";
import { endText, isEndToasted } from "./words";

export { firstProblem, planOf };

/** Whose money is bet. */
export type Player = {
  id: number | undefined;
  /** Asks the server whether the player is still the one who is logged in. */
  isStillHere(): Promise<boolean>;
};

/** A run that has begun. */
export type BegunRun = {
  /** Ends after the round in play. */
  stop(): void;
  /** Ends at once, because the player has left the game or logged out; returns what it came to, or null if it was over. */
  leave(reason: "left" | "session"): string | null;
};

/** Plays a run to its end, unless one runs in another tab. */
export async function playRun(
  player: Player,
  plan: Plan,
  game: RefObject<AutobetGame>,
  note: (state: RunState) => void,
  onBegun: (run: BegunRun) => void,
): Promise<void> {
  await exclusively(`glasshouse-autobet-${player.id}`, async (isFree) => {
    const run = new AutobetRun(plan, tableOf(game, player), game.current.limits.balanceCents, note);
    if (!isFree) run.abandon({ kind: "elsewhere" });
    onBegun({
      stop: () => run.stop({ kind: "player" }),
      leave(kind) {
        if (run.state.phase === "stopped") return null;
        run.abandon({ kind });
        return endText(run.state);
      },
    });
    note(run.state);
    await run.play();
    // What the panel says can be out of sight.
    if (isEndToasted(run.state)) toast({ title: "Autobet stopped", description: endText(run.state) });
  });
}

/** What a run needs of the game, as it is at each moment, and of the page. */
function tableOf(latest: RefObject<AutobetGame>, player: Player): BetTable {
  const { connection = null } = latest.current;
  return {
    place: (stakeCents, isRetry) => latest.current.place(stakeCents, isRetry),
    limits: () => latest.current.limits,
    closed: () => (latest.current.isClosed ? { kind: "closed" } : null),
    pause: () => pauseReason(connection),
    resume: async () => ((await player.isStillHere()) ? null : { kind: "session" }),
    onPauseChange: (listener) => onPauseChange(connection, listener),
    gapMs: () => latest.current.gapMs(),
  };
}
