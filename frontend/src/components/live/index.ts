// Apart from the other components, so that only the live games load it.
export { LiveFrame } from "./live-frame";
export { LiveStage } from "./live-stage";
export { type LiveView, useLiveView } from "./live-view";
export { MainAction, type MainActionProps } from "./main-action";
export { OwnHistory } from "./own-history";
export { useLateLeaving } from "./use-late-leaving";
