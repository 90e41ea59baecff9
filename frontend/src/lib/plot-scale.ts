/** The axis of a plot. */
export type Scale = { minimum: number; maximum: number; ticks: number[] };

/** The position of a value on a scale, from 0 to 1. */
export const positionOf = (value: number, { minimum, maximum }: Pick<Scale, "minimum" | "maximum">): number =>
  (value - minimum) / (maximum - minimum);
