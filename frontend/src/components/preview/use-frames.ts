import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { previewTicker } from "./ticker";

type Options = {
  /** The moment of the scene that is shown first, and for good if nothing may move. */
  stillMs: number;
  isStill: boolean;
};

/**
 * Draws a scene after each render and, unless it is still, up to 30 times a second while the element is in the
 * viewport. `draw` gets the milliseconds of the scene, which stops while it cannot be seen.
 */
export function useFrames(
  element: RefObject<Element | null>,
  draw: (sceneMs: number) => void,
  { stillMs, isStill }: Options,
): void {
  const latest = useRef(draw);
  const sceneMs = useRef(stillMs);
  useLayoutEffect(() => {
    latest.current = draw;
    if (isStill) sceneMs.current = stillMs;
    draw(sceneMs.current);
  });
  useEffect(() => {
    const target = element.current;
    if (isStill || !target) return undefined;
    let stop: (() => void) | null = null;
    let drawnAt: number | null = null;
    const frame = (nowMs: number) => {
      sceneMs.current += drawnAt === null ? 0 : nowMs - drawnAt;
      drawnAt = nowMs;
      latest.current(sceneMs.current);
    };
    const observer = new IntersectionObserver((entries) => {
      const isSeen = entries.at(-1)?.isIntersecting ?? false;
      if (isSeen === (stop !== null)) return;
      drawnAt = null;
      stop?.();
      stop = isSeen ? previewTicker.add(frame) : null;
    });
    observer.observe(target);
    return () => {
      observer.disconnect();
      stop?.();
    };
  }, [element, isStill]);
}
