import { type RefObject, useEffect, useRef, useState } from "react";
import { liveEvents } from "@/games/timed/event-stream";
import { type LiveState, roundOf } from "@/games/timed/round-state";
import { type StonksRound, hintStonksCrashed, type PricePoint } from "./api";
import { Track } from "./track";

type Options = { state: LiveState<StonksRound>; apply(round: StonksRound): void; sync(): Promise<void> };

/** Gathers the published points in a ref. Of all that, React learns only that a sale is possible. */
export function useStonksTrack({ state, apply, sync }: Options): { track: RefObject<Track>; canSell: boolean } {
  const track = useRef(new Track());
  const [sellable, setSellable] = useState<number | null>(null);
  const hinted = useRef(0);
  const round = roundOf(state);

  useEffect(() => {
    if (round) track.current.merge(round.roundId, round.points, performance.now());
  }, [round]);

  const betAmount = round?.betAmount;
  useEffect(
    () =>
      liveEvents.on<PricePoint>("price", ({ roundId, tick, multiplier }) => {
        const isWhole = track.current.append(roundId, tick, multiplier, performance.now());
        if (!isWhole) void sync();
        if (tick >= 1) setSellable(roundId);
        if (multiplier !== 0 || betAmount === undefined || hinted.current === roundId) return;
        hinted.current = roundId;
        // A hint only: the server settles without it, and then its event tells.
        hintStonksCrashed({ betAmount, roundId }).then(apply, () => undefined);
      }),
    [apply, sync, betAmount],
  );
  const hasTick = round !== null && (round.points.length > 1 || sellable === round.roundId);
  return { track, canSell: state.phase === "playing" && hasTick };
}
