import { afterEach, expect, it, vi } from "vitest";
import { holdPlay } from "@/lib/play-hold";
import { onPauseChange, pauseReason } from "./pause";

afterEach(() => holdPlay(null));

it("waits while the player is to answer something, and says when that is over", () => {
  const changed = vi.fn<() => void>();
  const stop = onPauseChange(null, changed);
  expect(pauseReason(null)).toBeNull();
  holdPlay("A reality check is waiting for you.");
  expect(pauseReason(null)).toBe("A reality check is waiting for you.");
  holdPlay("A reality check is waiting for you.");
  expect(changed).toHaveBeenCalledTimes(1);
  holdPlay(null);
  expect(pauseReason(null)).toBeNull();
  expect(changed).toHaveBeenCalledTimes(2);
  stop();
  holdPlay("Again.");
  expect(changed).toHaveBeenCalledTimes(2);
});
