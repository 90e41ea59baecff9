import { expect, it } from "vitest";
import { ServerClock } from "./server-clock";

function setup() {
  const monotonic = { now: 1000 };
  return { monotonic, clock: new ServerClock(() => monotonic.now) };
}

it("has no time at first", () => {
  const { clock } = setup();
  expect(clock.now()).toBeNull();
  clock.sample(Number.NaN);
  expect(clock.now()).toBeNull();
});

it("uses the message with the smallest delay, and is never ahead of the house", () => {
  const { monotonic, clock } = setup();
  const house = () => monotonic.now + 500_000;
  for (const delay of [120, 40, 900]) {
    const sent = house();
    monotonic.now += delay;
    clock.sample(sent);
    expect(clock.now()).toBeLessThanOrEqual(house());
  }
  expect(house() - (clock.now() ?? 0)).toBe(40);
});

it("forgets old samples, because clocks drift", () => {
  const { monotonic, clock } = setup();
  clock.sample(500);
  monotonic.now += 121_000;
  clock.sample(0);
  expect(clock.now()).toBe(0);
});

it("starts over after a reconnection", () => {
  const { clock } = setup();
  clock.sample(5000);
  clock.forget();
  expect(clock.now()).toBeNull();
});
