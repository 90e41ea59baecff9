// The frame of the panel's screens: a header and a navigation of its own, without the games and the player's money.

import { type ReactNode, type Ref, useEffect } from "react";
import { useSession } from "@/api/session";
import { LiveRegion } from "@/components";
import { onAdminAccessLost } from "../api/admin";
import { useWithdrawalNews } from "../live/pending-work";
import { PanelHeader, type PanelActions } from "./panel-header";
import { usePanelKeys } from "./panel-keys";
import { PANEL_CONTENT_ID, PanelNavigation, tabId, useShownTab } from "./panel-navigation";

/** Reloads the user when a request shows that they are no longer an administrator. */
function useReloadOnAccessLost(): void {
  const { refresh } = useSession();
  useEffect(() => onAdminAccessLost(() => void refresh()), [refresh]);
}

export function AdminShell({
  main,
  children,
  ...actions
}: PanelActions & { main: Ref<HTMLElement>; children: ReactNode }) {
  useReloadOnAccessLost();
  usePanelKeys(actions.openSearch);
  return (
    <>
      <PanelHeader {...actions} />
      <div className="lg:flex">
        <PanelNavigation />
        <main ref={main} id="content" tabIndex={-1} className="main min-w-0 flex-1 outline-none">
          <PanelContent>{children}</PanelContent>
        </main>
      </div>
      <News />
    </>
  );
}

/** The content of the tab that is shown. It is there while the content is still loading, since the tab refers to it. */
function PanelContent({ children }: { children: ReactNode }) {
  const shown = useShownTab();
  const attributes = shown !== null && {
    role: "tabpanel",
    id: PANEL_CONTENT_ID,
    "aria-labelledby": tabId(shown),
    // The content follows its tab in the tab order.
    tabIndex: 0,
  };
  return (
    <div {...attributes} className="outline-none">
      {children}
    </div>
  );
}

/** On its own, so that a look at what waits renders nothing else. */
function News() {
  return <LiveRegion message={useWithdrawalNews()} />;
}
