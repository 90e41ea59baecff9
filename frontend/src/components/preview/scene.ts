// Pure helpers for scenes: everything that moves is a function of the scene's time.

/** Where a loop is: which turn it is in, and how far into it in milliseconds. */
export function turnOf(sceneMs: number, turnMs: number): { turn: number; ms: number } {
  const turn = Math.floor(sceneMs / turnMs);
  return { turn, ms: sceneMs - turn * turnMs };
}

/** 0 before `fromMs`, 1 from `fromMs + durationMs` on, and eased in between. */
export function eased(ms: number, fromMs: number, durationMs: number): number {
  const progress = Math.min(1, Math.max(0, (ms - fromMs) / durationMs));
  return 1 - (1 - progress) ** 3;
}

/**
 * A number from 0 up to but not including 1 for each whole number: looks random and is always the same. Only for
 * pictures.
 */
export function scattered(index: number): number {
  let bits = Math.imul(index + 1, 0x9e3779b1);
  bits = Math.imul(bits ^ (bits >>> 15), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32;
}
