// The tabs of the panel, loaded when they are opened. A further tab is one more line of this table.

import {
  ArrowDownToLine,
  ArrowUpFromLine,
  BellRing,
  ChartNoAxesColumn,
  CreditCard,
  History,
  LayoutDashboard,
  type LucideIcon,
  ScrollText,
  Stamp,
  ToggleRight,
  Users,
} from "lucide-react";
import type { ComponentType } from "react";
import type { Permission } from "@/api/types";
import { lazyPart } from "@/lib/lazy-part";
import type { WaitingKind } from "./live/pending-work";

export type PanelTab = {
  /** As in the address: `/admin?tab=…`. */
  value: string;
  label: string;
  /** The heading above it in the sidebar; null for none. Tabs of a group follow each other. */
  group: string | null;
  Icon: LucideIcon;
  /** Only roles with this permission see the tab. */
  permission?: Permission;
  /** What waits there for somebody; how much it is together is shown beside the label. */
  waiting?: readonly WaitingKind[];
  /** After the key G it opens the tab. Each letter is used once. */
  letter: string;
  Content: ComponentType;
};

export const TABS = [
  {
    value: "dashboard",
    label: "Dashboard",
    group: null,
    Icon: LayoutDashboard,
    letter: "d",
    Content: lazyPart(() => import("./tabs/dashboard-tab")),
  },
  {
    value: "users",
    label: "Users",
    group: "Players and money",
    Icon: Users,
    letter: "u",
    Content: lazyPart(() => import("./tabs/users-tab")),
  },
  {
    value: "withdrawals",
    label: "Withdrawals",
    group: "Players and money",
    Icon: ArrowUpFromLine,
    waiting: ["pendingWithdrawals", "failedPayouts"],
    letter: "w",
    Content: lazyPart(() => import("./tabs/withdrawals-tab")),
  },
  {
    value: "games",
    label: "Game History",
    group: "Players and money",
    Icon: History,
    letter: "h",
    Content: lazyPart(() => import("./tabs/games-tab")),
  },
  {
    value: "deposits",
    label: "Deposits",
    group: "Players and money",
    Icon: ArrowDownToLine,
    letter: "e",
    Content: lazyPart(() => import("./tabs/deposits-tab")),
  },
  {
    value: "payments",
    label: "Payment Status",
    group: "Players and money",
    Icon: CreditCard,
    waiting: ["openReviews"],
    letter: "p",
    Content: lazyPart(() => import("./tabs/payments-tab")),
  },
  {
    value: "alerts",
    label: "Alerts",
    group: "House",
    Icon: BellRing,
    waiting: ["unacknowledgedAlerts"],
    letter: "r",
    Content: lazyPart(() => import("./tabs/alerts-tab")),
  },
  {
    value: "figures",
    label: "Figures",
    group: "House",
    Icon: ChartNoAxesColumn,
    permission: "read_figures",
    letter: "f",
    Content: lazyPart(() => import("./figures/figures-tab")),
  },
  {
    value: "logs",
    label: "Admin Logs",
    group: "House",
    Icon: ScrollText,
    letter: "l",
    Content: lazyPart(() => import("./tabs/logs-tab")),
  },
  {
    value: "switches",
    label: "Switches",
    group: "House",
    Icon: ToggleRight,
    letter: "s",
    Content: lazyPart(() => import("./switches/switches-tab")),
  },
  {
    value: "approvals",
    label: "Approvals",
    group: "House",
    Icon: Stamp,
    waiting: ["openProposals"],
    letter: "a",
    Content: lazyPart(() => import("./tabs/approvals-tab")),
  },
] as const satisfies readonly PanelTab[];

export type Tab = (typeof TABS)[number]["value"];

/** The address of a tab. */
export const tabAddress = (tab: string): string => (tab === "dashboard" ? "/admin" : `/admin?tab=${tab}`);
