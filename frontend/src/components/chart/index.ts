export type { ChartPoint, Mark, Scene } from "./paint";
export { ChartPainter } from "./painter";
export { leftPathScene, pathScene, rangeOf } from "./path-scene";
export { type PriceRange, rangeBetween } from "./steady-range";
export { StillChart } from "./still-chart";
