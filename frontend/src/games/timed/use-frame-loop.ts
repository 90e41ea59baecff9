import { useLayoutEffect, useRef } from "react";

/** Runs `frame` once after each render and, while running, before each repaint. */
export function useFrameLoop(isRunning: boolean, frame: () => void): void {
  const latest = useRef(frame);
  useLayoutEffect(() => {
    latest.current = frame;
    frame();
  });
  useLayoutEffect(() => {
    if (!isRunning) return undefined;
    let request = requestAnimationFrame(function next() {
      latest.current();
      request = requestAnimationFrame(next);
    });
    return () => cancelAnimationFrame(request);
  }, [isRunning]);
}
