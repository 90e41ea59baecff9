export { CanvasPreview, type PreviewFrame } from "./canvas-preview";
export { fillRounded, paintFigure, paintLine } from "./paint";
export { eased, scattered, turnOf } from "./scene";
export { useFrames } from "./use-frames";
