// The panel: seven tabs, of which the one that is looked at is loaded.

import { Suspense, useEffect, useRef } from "react";
import { useSession } from "@/api/session";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "@/components";
import { onAdminAccessLost } from "./api/admin";
import { StepUpProvider } from "./decisions/step-up";
import { ListSkeleton } from "./lists/record-list";
import { tabOf, useAdminView } from "./lists/url-state";
import { TABS } from "./tabs";

/** Who is no administrator any more sees so at the next thing that is asked for. */
function useReloadOnAccessLost(): void {
  const { refresh } = useSession();
  useEffect(() => onAdminAccessLost(() => void refresh()), [refresh]);
}

export function AdminPanel() {
  useReloadOnAccessLost();
  const { tab, openTab } = useAdminView();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // On a phone not all tabs fit side by side.
    list.current?.querySelector(`[data-tab="${tab}"]`)?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [tab]);
  return (
    <StepUpProvider>
      {/* What an arrow key reaches is not opened by it: each tab is a page of data. */}
      <Tabs value={tab} onValueChange={(next) => openTab(tabOf(next))} activationMode="manual" className="min-w-0">
        <TabsList ref={list} aria-label="Admin panel" className="overflow-x-auto">
          {TABS.map(({ value, label }) => (
            <TabsTrigger key={value} value={value} data-tab={value} className="shrink-0 whitespace-nowrap">
              {label}
            </TabsTrigger>
          ))}
        </TabsList>
        <TabsContent value={tab} className="mt-4 outline-none">
          <Suspense fallback={<ListSkeleton label="Loading" />}>
            {TABS.map(({ value, Content }) => value === tab && <Content key={value} />)}
          </Suspense>
        </TabsContent>
      </Tabs>
    </StepUpProvider>
  );
}
