import { expect, it, vi } from "vitest";
import { Ticker } from "./ticker";

/** A browser whose frames come when the test says so. */
function browser() {
  const requests = new Map<number, (nowMs: number) => void>();
  let lastId = 0;
  return {
    request(frame: (nowMs: number) => void) {
      lastId += 1;
      requests.set(lastId, frame);
      return lastId;
    },
    cancel: (id: number) => void requests.delete(id),
    waiting: () => requests.size,
    frame(nowMs: number) {
      const due = [...requests.values()];
      requests.clear();
      for (const run of due) run(nowMs);
    },
  };
}

it("draws at most thirty times a second", () => {
  const screen = browser();
  const draw = vi.fn();
  new Ticker(screen).add(draw);
  // One second of a screen with 120 frames.
  for (let frame = 0; frame < 120; frame += 1) screen.frame((frame * 1000) / 120);
  expect(draw.mock.calls.length).toBe(30);
});

it("asks for frames only while something moves", () => {
  const screen = browser();
  const ticker = new Ticker(screen);
  expect(screen.waiting()).toBe(0);
  const [one, other] = [vi.fn(), vi.fn()];
  const stopOne = ticker.add(one);
  const stopOther = ticker.add(other);
  expect(screen.waiting()).toBe(1);
  screen.frame(0);
  stopOne();
  screen.frame(100);
  expect(one).toHaveBeenCalledTimes(1);
  expect(other).toHaveBeenCalledTimes(2);
  stopOther();
  expect(screen.waiting()).toBe(0);
  ticker.add(one);
  screen.frame(200);
  expect(one).toHaveBeenCalledTimes(2);
});
