import { formatChange } from "./money";
import { REDUCED_MOTION } from "./reduced-motion";
import { playSound, type SoundEvent } from "./sound";
import { type WinTier, winTier } from "./win-tier";

type Celebration = {
  stakeCents: number;
  payoutCents: number;
  /** The number or the cards that show the win: they flash, and the amount starts from there. */
  from?: Element | null | undefined;
};

const SOUNDS: Record<Exclude<WinTier, "none">, SoundEvent> = { small: "win", big: "big-win", huge: "huge-win" };
const EASE = "cubic-bezier(.2,.8,.2,1)";
const FLASH_MS = 180;
const FLIGHT_MS = 640;
const GLOW_MS = 1000;

let landsAt = 0;

/** The milliseconds until a flying amount reaches the balance; 0 if none is on its way. */
export const flightMs = (): number => Math.max(0, landsAt - performance.now());

const isStill = (): boolean => window.matchMedia(REDUCED_MOTION).matches;

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
  if (!origin || isStill() || document.hidden) return;
  origin.animate([{ opacity: 0.25 }, { opacity: 1 }], { duration: FLASH_MS, easing: EASE });
  if (tier === "small") return;
  fly(origin, formatChange(payoutCents - stakeCents));
  if (tier === "huge") glow(origin.closest(".stage") ?? origin);
}

const centreOf = (element: Element): { x: number; y: number } => {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
};

const at = ({ x, y }: { x: number; y: number }, scale: number): string =>
  `translate(${x}px, ${y}px) translate(-50%, -50%) scale(${scale})`;

/** Lets an amount travel to the balance in the header. */
function fly(origin: Element, text: string): void {
  const balance = document.querySelector("[data-balance]");
  if (!balance) return;
  const [start, end] = [centreOf(origin), centreOf(balance)];
  const amount = document.createElement("span");
  amount.className = "flying-amount";
  amount.ariaHidden = "true";
  amount.textContent = text;
  document.body.append(amount);
  landsAt = performance.now() + FLIGHT_MS;
  const flight = amount.animate(
    [
      { transform: at(start, 1), opacity: 0 },
      { transform: at(start, 1), opacity: 1, offset: 0.12 },
      { transform: at(end, 0.5), opacity: 1, offset: 0.92 },
      { transform: at(end, 0.5), opacity: 0 },
    ],
    { duration: FLIGHT_MS, easing: EASE, fill: "both" },
  );
  removeAfter(flight, amount);
}

/** Lets a brass line at the bottom of the stage glow. */
function glow(stage: Element): void {
  const line = document.createElement("span");
  line.className = "glowing-line";
  line.ariaHidden = "true";
  stage.append(line);
  removeAfter(
    line.animate([{ opacity: 0 }, { opacity: 1, offset: 0.2 }, { opacity: 1, offset: 0.6 }, { opacity: 0 }], {
      duration: GLOW_MS,
      easing: "ease-in-out",
    }),
    line,
  );
}

/** Whether an animation ends or is cancelled, nothing stays. */
function removeAfter(animation: Animation, element: Element): void {
  const remove = () => element.remove();
  animation.addEventListener("finish", remove);
  animation.addEventListener("cancel", remove);
}
