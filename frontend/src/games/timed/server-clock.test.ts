import { expect, it } from "vitest";
import { ServerClock } from "./server-clock";

function setup() {
  const monotonic = { now: 1000 };
  return { monotonic, clock: new ServerClock(() => monotonic.now) };
}

it("knows nothing at first", () => {
  const { clock } = setup();
  expect(clock.now()).toBeNull();
  clock.sample(Number.NaN);
  expect(clock.now()).toBeNull();
});

it("takes the message that was delayed least, and is never ahead of the house", () => {
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

it("forgets what is old, because clocks drift", () => {
  const { monotonic, clock } = setup();
  clock.sample(500);
  monotonic.now += 121_000;
  clock.sample(0);
  expect(clock.now()).toBe(0);
});

it("starts anew after a reconnection", () => {
  const { clock } = setup();
  clock.sample(5000);
  clock.forget();
  expect(clock.now()).toBeNull();
});
