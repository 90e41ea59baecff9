// The tabs that the signed-in administrator sees.

import { useUser } from "@/api/session";
import { tabOf } from "../lists/url-state";
import { type PanelTab, type Tab, TABS } from "../tabs";

const ALL: readonly PanelTab[] = TABS;

/** The tabs that the role permits. */
export function usePanelTabs(): readonly PanelTab[] {
  const permissions = useUser()?.permissions ?? [];
  return ALL.filter(({ permission }) => permission === undefined || permissions.includes(permission));
}

/** The tab of that name; the first one if it is unknown, or the role does not permit it. */
export function usePermittedTab(name: string | null): Tab {
  const tab = tabOf(name);
  return usePanelTabs().some(({ value }) => value === tab) ? tab : tabOf(null);
}
