import { whenIdle } from "./idle";
import { isMotionReduced } from "./reduced-motion";
import { playSound, type SoundEvent } from "./sound";
import { type WinTier, winTier } from "./win-tier";

type Celebration = {
  stakeCents: number;
  payoutCents: number;
  /** The number or the cards that show the win: they flash, and the amount starts from there. */
  from?: Element | null | undefined;
};

const SOUNDS: Record<Exclude<WinTier, "none">, SoundEvent> = { small: "win", big: "big-win", huge: "huge-win" };
const FLIGHT_MS = 640;

let landsAt = 0;

/** The milliseconds until a flying amount reaches the balance; 0 if none is on its way. */
export const flightMs = (): number => Math.max(0, landsAt - performance.now());

/** Without its code a win is celebrated by its sound alone. */
const loadAnimation = () => import("./win-animation").catch(() => null);

/** Loads what the first win needs, so that it is celebrated at once. Returns how to call that off. */
export const prepareCelebration = (): (() => void) => whenIdle(() => void loadAnimation());

/**
 * Celebrates a win by its tier, with its sound: one call for each round that is over. Does nothing after a loss or a
 * payout that does not exceed the stake. With reduced motion there is only the sound. Call it once the result is shown.
 */
export function celebrate({ stakeCents, payoutCents, from }: Celebration): void {
  const tier = winTier(stakeCents, payoutCents);
  if (tier === "none") return;
  playSound(SOUNDS[tier]);
  const origin = from ?? document.querySelector(".stage");
  // Nobody sees it in the background, where animations do not end either.
  if (!origin || isMotionReduced() || document.hidden) return;
  if (tier !== "small") landsAt = performance.now() + FLIGHT_MS;
  void loadAnimation().then((loaded) => loaded?.animateWin(tier, origin, payoutCents - stakeCents, FLIGHT_MS));
}
