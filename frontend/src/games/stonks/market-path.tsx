import { useMemo } from "react";
import { pathScene, StillChart } from "@/components/chart";

const shown = (thousandths: number | undefined): string => `${((thousandths ?? 0) / 1000).toFixed(3)}×`;

/** The whole recomputed path of a market, including what came after the sale. */
export function MarketPath({ points, soldAtTick }: { points: readonly number[]; soldAtTick: number | null }) {
  const isCrash = points.at(-1) === 0;
  const highest = Math.max(...points);
  const sold = soldAtTick === null ? "Not sold" : `Sold at ${shown(points[soldAtTick])}, at tick ${soldAtTick}`;
  const text = `${sold}. Highest ${shown(highest)}; ${isCrash ? "crashed" : `closed at ${shown(points.at(-1))}`} at tick ${points.length - 1}.`;
  const scene = useMemo(() => {
    const multipliers = points.map((point) => point / 1000);
    const soldPoint = soldAtTick === null ? undefined : multipliers[soldAtTick];
    const mark = soldAtTick === null || soldPoint === undefined ? null : ([soldAtTick, soldPoint] as const);
    return {
      ...pathScene(multipliers, 1, null, soldAtTick === null && isCrash ? "lost" : "live"),
      xMax: points.length - 1,
      mark,
    };
  }, [points, soldAtTick, isCrash]);
  return (
    <figure className="grid gap-2">
      <StillChart
        scene={scene}
        label={`The market's path. ${text}`}
        className="block h-[180px] w-full rounded-control bg-well"
      />
      <figcaption className="text-13 text-ink-2">{text}</figcaption>
    </figure>
  );
}
