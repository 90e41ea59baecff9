import type { LiveRound } from "./api";

/** The state of a live game. `seenId` is the newest dismissed round, so that a late message does not bring it back. */
export type LiveState<R extends LiveRound> =
  | { phase: "idle"; seenId: number }
  | { phase: "starting"; seenId: number }
  | { phase: "playing"; round: R; isCashingOut: boolean }
  | { phase: "crashed"; round: R }
  | { phase: "cashed_out"; round: R };

export type LiveAction<R extends LiveRound> =
  | { type: "start" | "start-failed" | "cash-out" | "cash-out-failed" | "reset" }
  | { type: "round"; round: R };

/** The reducer; returns the same state if nothing changes. */
export function nextState<R extends LiveRound>(state: LiveState<R>, action: LiveAction<R>): LiveState<R> {
  switch (action.type) {
    case "start":
      return state.phase === "starting" || state.phase === "playing"
        ? state
        : { phase: "starting", seenId: newestId(state) };
    case "start-failed":
      return state.phase === "starting" ? { phase: "idle", seenId: state.seenId } : state;
    case "cash-out":
      return state.phase === "playing" ? { ...state, isCashingOut: true } : state;
    case "cash-out-failed":
      return state.phase === "playing" ? { ...state, isCashingOut: false } : state;
    case "reset":
      return isOver(state) ? { phase: "idle", seenId: newestId(state) } : state;
    case "round":
      return withRound(state, action.round);
  }
}

export function isOver<R extends LiveRound>(
  state: LiveState<R>,
): state is Extract<LiveState<R>, { phase: "crashed" | "cashed_out" }> {
  return state.phase === "crashed" || state.phase === "cashed_out";
}

/** The round that is shown, if any. */
export function roundOf<R extends LiveRound>(state: LiveState<R>): R | null {
  return state.phase === "idle" || state.phase === "starting" ? null : state.round;
}

/** The round that is shown, or else the newest one that was. */
export function newestId<R extends LiveRound>(state: LiveState<R>): number {
  return state.phase === "idle" || state.phase === "starting" ? state.seenId : state.round.roundId;
}

/** Messages of one round can arrive twice and in any order; an end is final and an older round is over. */
export function isOutdated<R extends LiveRound>(state: LiveState<R>, round: R): boolean {
  const known = newestId(state);
  return round.roundId < known || (round.roundId === known && state.phase !== "playing");
}

function withRound<R extends LiveRound>(state: LiveState<R>, round: R): LiveState<R> {
  if (isOutdated(state, round)) return state;
  if (round.result !== "playing") return { phase: round.result, round };
  const isCashingOut = state.phase === "playing" && state.round.roundId === round.roundId && state.isCashingOut;
  return { phase: "playing", round, isCashingOut };
}
