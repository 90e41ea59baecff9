// The frame of the panel's screens: a header and a navigation of its own, without the games and the player's money.

import { type ReactNode, type Ref, useEffect } from "react";
import { useSession } from "@/api/session";
import { LiveRegion } from "@/components";
import { onAdminAccessLost } from "../api/admin";
import { useWithdrawalNews } from "../live/pending-work";
import { PanelHeader, type PanelActions } from "./panel-header";
import { usePanelKeys } from "./panel-keys";
import { PanelNavigation } from "./panel-navigation";

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
          {children}
        </main>
      </div>
      <News />
    </>
  );
}

/** On its own, so that a look at what waits renders nothing else. */
function News() {
  return <LiveRegion message={useWithdrawalNews()} />;
}
