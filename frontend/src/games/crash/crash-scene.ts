import type { ChartPoint, Scene } from "@/components/chart";
import type { CrashRound } from "./api";
import { type Curve, reachedAtMs } from "./curve";

/** More points are indistinguishable on a screen. */
const MAX_POINTS = 300;
const MS_A_POINT = 30;
/** At first the line grows, then the chart scales with it. */
const MIN_MS = 5000;
const MIN_TOP = 1.8;

const heightAt = (curve: Curve, ms: number): number =>
  curve === "linear" ? 1 + (0.7 * ms) / 1000 : 1.1 ** (ms / 1000);

/** The curve up to `ms`, where it shows `hundredths`. */
export function crashScene(
  curve: Curve,
  ms: number,
  hundredths: number,
  guide: number | null,
  tone: Scene["tone"],
): Scene {
  const count = Math.min(MAX_POINTS, 2 + Math.ceil(ms / MS_A_POINT));
  const top = Math.max(hundredths / 100, heightAt(curve, ms));
  const points = Array.from({ length: count }, (_, index): ChartPoint => {
    const at = (ms * index) / (count - 1);
    return [at, heightAt(curve, at)];
  });
  return {
    points,
    xMax: Math.max(MIN_MS, ms * 1.04),
    yMin: 1,
    yMax: Math.max(MIN_TOP, 1 + (top - 1) * 1.18),
    tone,
    guide,
    mark: null,
    labelOf: (value) => `${value.toFixed(2)}×`,
    unitsPerSecond: 1000,
  };
}

/** Before a round: only the start. */
export const idleScene = (curve: Curve): Scene => crashScene(curve, 0, 100, null, "live");

/** After a round: up to the cash-out or the crash. */
export function endScene(round: CrashRound): Scene {
  const end = Math.round(
    (round.result === "cashed_out" ? (round.cashoutMultiplier ?? 1) : (round.crashPoint ?? 1)) * 100,
  );
  return crashScene(
    round.curve,
    reachedAtMs(round.curve, end),
    end,
    round.autoCashoutMultiplier,
    round.result === "crashed" ? "lost" : "live",
  );
}
