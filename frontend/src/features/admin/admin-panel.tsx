// What the panel shows: one of its tabs, loaded when it is opened.

import { Suspense } from "react";
import { PageTitle } from "@/components";
import { ListSkeleton } from "./lists/record-list";
import { useRowKeys } from "./lists/row-keys";
import { useAdminView } from "./lists/url-state";
import { usePermittedTab } from "./shell/panel-tabs";
import { TABS } from "./tabs";

export function AdminPanel() {
  const tab = usePermittedTab(useAdminView().tab);
  useRowKeys();
  return (
    <div className="mx-auto w-full max-w-[1480px] p-4 max-lg:p-3 lg:p-5">
      <PageTitle title="Admin Panel" />
      <Suspense fallback={<ListSkeleton label="Loading" />}>
        {TABS.map(({ value, Content }) => value === tab && <Content key={value} />)}
      </Suspense>
    </div>
  );
}
