// What the panel shows: one of its tabs, loaded when it is opened.

import { Suspense } from "react";
import { PageTitle } from "@/components";
import { ListSkeleton } from "./lists/record-list";
import { useRowKeys } from "./lists/row-keys";
import { useAdminView } from "./lists/url-state";
import { PANEL_CONTENT_ID } from "./shell/panel-navigation";
import { usePermittedTab } from "./shell/panel-tabs";
import { TABS } from "./tabs";

export function AdminPanel() {
  const tab = usePermittedTab(useAdminView().tab);
  useRowKeys();
  return (
    <div
      role="tabpanel"
      id={PANEL_CONTENT_ID}
      aria-labelledby={`admin-tab-${tab}`}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the content follows its tab in the tab order
      tabIndex={0}
      className="mx-auto w-full max-w-[1480px] p-4 outline-none max-lg:p-3 lg:p-5"
    >
      <PageTitle title="Admin Panel" />
      <Suspense fallback={<ListSkeleton label="Loading" />}>
        {TABS.map(({ value, Content }) => value === tab && <Content key={value} />)}
      </Suspense>
    </div>
  );
}
