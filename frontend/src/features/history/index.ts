export { HistoryView } from "./history-view";
export { RecentActivity } from "./recent-activity";
