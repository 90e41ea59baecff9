export { AccessDenied } from "./access-denied";
export { AdminPanel } from "./admin-panel";
