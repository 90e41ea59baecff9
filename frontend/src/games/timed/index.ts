export { LiveFrame } from "./live-frame";
export { LiveStage } from "./live-stage";
export { type LiveView, useLiveView } from "./live-view";
export { MainAction, type MainActionProps } from "./main-action";
export { useLateCashOut } from "./use-late-cash-out";
