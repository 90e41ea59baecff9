// The tabs of the panel, loaded when they are opened.

import { lazyPart } from "@/lib/lazy-part";

export const TABS = [
  { value: "dashboard", label: "Dashboard", Content: lazyPart(() => import("./tabs/dashboard-tab")) },
  { value: "users", label: "Users", Content: lazyPart(() => import("./tabs/users-tab")) },
  { value: "withdrawals", label: "Withdrawals", Content: lazyPart(() => import("./tabs/withdrawals-tab")) },
  { value: "games", label: "Game History", Content: lazyPart(() => import("./tabs/games-tab")) },
  { value: "deposits", label: "Deposits", Content: lazyPart(() => import("./tabs/deposits-tab")) },
  { value: "payments", label: "Payment Status", Content: lazyPart(() => import("./tabs/payments-tab")) },
  { value: "logs", label: "Admin Logs", Content: lazyPart(() => import("./tabs/logs-tab")) },
  { value: "switches", label: "Switches", Content: lazyPart(() => import("./switches/switches-tab")) },
  { value: "approvals", label: "Approvals", Content: lazyPart(() => import("./tabs/approvals-tab")) },
] as const;
