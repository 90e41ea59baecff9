// What is seen of a win: how its number flashes, its amount flies and the stage glows. Loaded when the browser is idle.

import { formatChange } from "./money";
import type { WinTier } from "./win-tier";

const EASE = "cubic-bezier(.2,.8,.2,1)";
const FLASH_MS = 180;
const GLOW_MS = 1000;

/** Shows a win of so many cents from the element that says so; its amount flies for `flightMs`. */
export function animateWin(tier: WinTier, origin: Element, cents: number, flightMs: number): void {
  // The next round may have replaced it while this code was loaded.
  if (!origin.isConnected) return;
  origin.animate([{ opacity: 0.25 }, { opacity: 1 }], { duration: FLASH_MS, easing: EASE });
  if (tier === "small") return;
  fly(origin, formatChange(cents), flightMs);
  if (tier === "huge") glow(origin.closest(".stage") ?? origin);
}

const centreOf = (element: Element): { x: number; y: number } => {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
};

const at = ({ x, y }: { x: number; y: number }, scale: number): string =>
  `translate(${x}px, ${y}px) translate(-50%, -50%) scale(${scale})`;

/** Lets an amount travel to the balance in the header. */
function fly(origin: Element, text: string, duration: number): void {
  const balance = document.querySelector("[data-balance]");
  if (!balance) return;
  const [start, end] = [centreOf(origin), centreOf(balance)];
  const amount = document.createElement("span");
  amount.className = "flying-amount";
  amount.ariaHidden = "true";
  amount.textContent = text;
  document.body.append(amount);
  const flight = amount.animate(
    [
      { transform: at(start, 1), opacity: 0 },
      { transform: at(start, 1), opacity: 1, offset: 0.12 },
      { transform: at(end, 0.5), opacity: 1, offset: 0.92 },
      { transform: at(end, 0.5), opacity: 0 },
    ],
    { duration, easing: EASE, fill: "both" },
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
