export { ExcludedBanner } from "./excluded-banner";
export { LimitNotice } from "./limit-notice";
export { RealityCheck } from "./reality-check";
export { TermsBanner } from "./terms-banner";
export { SessionStatus } from "./session-status";
export { useFreshSummary } from "./use-fresh-summary";
