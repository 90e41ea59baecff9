// The panel: its tabs, loaded when opened.

import { Suspense, useEffect, useRef } from "react";
import { useSession } from "@/api/session";
import { Badge, Tabs, TabsContent, TabsList, TabsTrigger } from "@/components";
import { onAdminAccessLost } from "./api/admin";
import { useApproval } from "./approvals/use-approval";
import { ListSkeleton } from "./lists/record-list";
import { tabOf, useAdminView } from "./lists/url-state";
import { OwnRole } from "./permissions";
import { TABS } from "./tabs";

/** Reloads the user when a request shows that they are no longer an administrator. */
function useReloadOnAccessLost(): void {
  const { refresh } = useSession();
  useEffect(() => onAdminAccessLost(() => void refresh()), [refresh]);
}

/** The number of proposals that wait for a second person. */
function WaitingBadge() {
  const { data } = useApproval();
  if (data === undefined || data.openProposals === 0) return null;
  return (
    <Badge tone="notice" className="ml-2">
      {data.openProposals}
      <span className="sr-only"> waiting</span>
    </Badge>
  );
}

export function AdminPanel() {
  useReloadOnAccessLost();
  const { tab, openTab } = useAdminView();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // On a phone the tabs do not all fit.
    list.current?.querySelector(`[data-tab="${tab}"]`)?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [tab]);
  // Arrow keys only move the focus; they do not open a tab, since each loads a page of data.
  return (
    <Tabs value={tab} onValueChange={(next) => openTab(tabOf(next))} activationMode="manual" className="min-w-0">
      <OwnRole />
      <TabsList ref={list} aria-label="Admin panel" className="overflow-x-auto">
        {TABS.map(({ value, label }) => (
          <TabsTrigger key={value} value={value} data-tab={value} className="relative shrink-0 whitespace-nowrap">
            {label}
            {value === "approvals" && <WaitingBadge />}
          </TabsTrigger>
        ))}
      </TabsList>
      <TabsContent value={tab} className="mt-4 outline-none">
        <Suspense fallback={<ListSkeleton label="Loading" />}>
          {TABS.map(({ value, Content }) => value === tab && <Content key={value} />)}
        </Suspense>
      </TabsContent>
    </Tabs>
  );
}
