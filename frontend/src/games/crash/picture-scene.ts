import { hundredthsAt, reachedAtMs } from "./curve";

/** The example's rounds, which follow each other for ever. */
const CRASH_HUNDREDTHS = [412, 186, 655, 238] as const;
/** The example's clock is faster than the house's, whose curve doubles in seven seconds. */
const PACE = 3;
const REST_MS = 1600;
const MAX_POINTS = 90;
/** At first the line grows, then the picture scales with it. */
const MIN_MS = 7000;
const MIN_TOP = 2;

const ENDS_MS = CRASH_HUNDREDTHS.map((hundredths) => reachedAtMs("exponential", hundredths) / PACE + REST_MS);
const LOOP_MS = ENDS_MS.reduce((sum, ms) => sum + ms, 0);

/** A moment of a round: its multiplier, its time on the house's clock, and whether it has crashed. */
export type CrashMoment = { hundredths: number; ms: number; isOver: boolean };

/** The example at a time of the scene. */
export function exampleAt(sceneMs: number): CrashMoment {
  let ms = sceneMs % LOOP_MS;
  for (const [index, end] of CRASH_HUNDREDTHS.entries()) {
    const turnMs = ENDS_MS[index] ?? 0;
    if (ms < turnMs) {
      const reached = reachedAtMs("exponential", end);
      const elapsed = Math.min(reached, Math.floor(ms * PACE));
      return {
        hundredths: Math.min(end, hundredthsAt("exponential", elapsed)),
        ms: elapsed,
        isOver: elapsed >= reached,
      };
    }
    ms -= turnMs;
  }
  return { hundredths: 100, ms: 0, isOver: false };
}

/** The curve up to a moment, in shares of the picture: x from the left, y from the bottom. */
export function curvePoints(
  moment: Pick<CrashMoment, "hundredths" | "ms">,
  heightAt: (ms: number) => number,
): readonly (readonly [x: number, y: number])[] {
  const xMax = Math.max(MIN_MS, moment.ms);
  const yMax = Math.max(MIN_TOP, moment.hundredths / 100);
  const count = Math.max(2, Math.min(MAX_POINTS, Math.ceil(moment.ms / 60)));
  return Array.from({ length: count }, (_, index) => {
    const at = (moment.ms * index) / (count - 1);
    return [at / xMax, (heightAt(at) - 1) / (yMax - 1)] as const;
  });
}
