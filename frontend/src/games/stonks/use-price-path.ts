import { type RefObject, useEffect, useRef, useState } from "react";
import { liveEvents } from "@/api/live/event-stream";
import { type LiveState, roundOf } from "@/games/timed/round-state";
import { type StonksRound, reportStonksCrash, type PricePoint } from "./api";
import { PricePath } from "./price-path";

type Options = { state: LiveState<StonksRound>; apply(round: StonksRound): void; sync(): Promise<void> };

/** Collects the published points in a ref. React only learns when selling becomes possible. */
export function usePricePath({ state, apply, sync }: Options): { path: RefObject<PricePath>; canSell: boolean } {
  const path = useRef(new PricePath());
  const [sellable, setSellable] = useState<number | null>(null);
  const reportedId = useRef(0);
  const round = roundOf(state);

  useEffect(() => {
    if (round) path.current.merge(round.roundId, round.points, performance.now());
  }, [round]);

  const betAmount = round?.betAmount;
  useEffect(
    () =>
      liveEvents.on<PricePoint>("price", ({ roundId, tick, multiplier }) => {
        const isWhole = path.current.append(roundId, tick, multiplier, performance.now());
        if (!isWhole) void sync();
        if (tick >= 1) setSellable(roundId);
        if (multiplier !== 0 || betAmount === undefined || reportedId.current === roundId) return;
        reportedId.current = roundId;
        // Only a hint: the server settles the round anyway and sends its event.
        reportStonksCrash({ betAmount, roundId }).then(apply, () => undefined);
      }),
    [apply, sync, betAmount],
  );
  const hasTick = round !== null && (round.points.length > 1 || sellable === round.roundId);
  return { path, canSell: state.phase === "playing" && hasTick };
}
