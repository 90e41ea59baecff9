import { afterEach, beforeEach, expect, it, vi } from "vitest";

const playSound = vi.hoisted(() => vi.fn());
vi.mock("./sound", () => ({ playSound }));
const { celebrate, flightMs } = await import("./celebrate");

/** Animations that the test ends; jsdom has none. */
let running: { element: Element; end(): void }[] = [];
let prefersStill = false;

beforeEach(() => {
  running = [];
  prefersStill = false;
  playSound.mockClear();
  vi.stubGlobal("matchMedia", () => ({ matches: prefersStill }));
  Element.prototype.animate = function animate(this: Element) {
    const target = new EventTarget();
    running.push({ element: this, end: () => target.dispatchEvent(new Event("finish")) });
    return target as Animation;
  };
  document.body.innerHTML = '<b data-balance>$1.00</b><div class="stage"><p>2.00×</p></div>';
});
afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(Element.prototype, "animate");
  document.body.innerHTML = "";
});

/** Waits for the animation, whose code is loaded with the first win. */
async function animated() {
  await import("./win-animation");
  await new Promise((resolve) => {
    setTimeout(resolve);
  });
}
const number = () => document.querySelector("p");
const flying = () => document.querySelector(".flying-amount");
const glowing = () => document.querySelector(".stage .glowing-line");

it("does nothing after a loss or a payout that does not exceed the stake", async () => {
  for (const payoutCents of [0, 999, 1000]) celebrate({ stakeCents: 1000, payoutCents, from: number() });
  await animated();
  expect(running).toEqual([]);
  expect(playSound).not.toHaveBeenCalled();
});

it("only flashes the number up to twice the stake", async () => {
  celebrate({ stakeCents: 1000, payoutCents: 2000, from: number() });
  await animated();
  expect(running.map(({ element }) => element)).toEqual([number()]);
  expect(playSound.mock.calls).toEqual([["win"]]);
  expect(flying()).toBeNull();
});

it("lets the profit travel to the balance up to ten times the stake, and removes it", async () => {
  celebrate({ stakeCents: 1000, payoutCents: 10_000, from: number() });
  await animated();
  expect(flying()?.textContent).toBe("+$90.00");
  expect(flying()).toHaveAttribute("aria-hidden", "true");
  expect(flightMs()).toBeGreaterThan(0);
  expect(glowing()).toBeNull();
  for (const { end } of running) end();
  expect(flying()).toBeNull();
  expect(playSound.mock.calls).toEqual([["big-win"]]);
});

it("also lets a line glow above ten times the stake, and removes it", async () => {
  celebrate({ stakeCents: 1000, payoutCents: 10_001, from: number() });
  await animated();
  expect(flying()).not.toBeNull();
  expect(glowing()).not.toBeNull();
  for (const { end } of running) end();
  expect(flying()).toBeNull();
  expect(glowing()).toBeNull();
});

it("moves nothing with reduced motion", async () => {
  prefersStill = true;
  celebrate({ stakeCents: 1000, payoutCents: 50_000, from: number() });
  await animated();
  expect(running).toEqual([]);
  expect(flying()).toBeNull();
  expect(playSound.mock.calls).toEqual([["huge-win"]]);
});
