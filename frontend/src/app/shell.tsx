import { type ReactNode, Suspense, useEffect, useRef } from "react";
import { useLocation } from "@/lib/address";
import { HouseProvider, useHouse } from "@/api/house";
import { useSession } from "@/api/session";
import { maySessionExist } from "@/api/session-hint";
import { useTrustWatch } from "@/api/trust/watch";
import { Skeleton, Toaster } from "@/components";
import { LoadedPart } from "@/components/loaded-part";
import { UsRestrictionProvider } from "@/features/us-restriction";
import { GameStatusProvider } from "@/games/game-status";
import { lazyPart } from "@/lib/lazy-part";
import { isPanelPath } from "./admin-path";
import { BottomBar } from "./bottom-bar";
import { Header } from "./header";
import { AppDialogsProvider } from "./providers/dialogs";
import { RunningRoundsProvider } from "./providers/running-rounds";
import { Sidebar, SidebarPlace } from "./sidebar";
import { TrustAlert } from "./trust-alert";

const AdminFrame = lazyPart(() => import("./admin-frame"));
const HouseNotices = lazyPart(() => import("./house-notices"));
const SessionWatch = lazyPart(() => import("./session-watch"));

/** The layout of every screen. */
export function Shell({ children }: { children: ReactNode }) {
  const { user } = useSession();
  useTrustWatch(user?.id);
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const shownPath = useRef(pathname);
  useEffect(() => {
    if (shownPath.current === pathname) return;
    shownPath.current = pathname;
    window.scrollTo(0, 0);
    // Screen readers continue at the new screen, not at the link that led to it.
    main.current?.focus({ preventScroll: true });
  }, [pathname]);
  const isSignedIn = Boolean(user);
  // Everyone else is denied access inside the casino's own frame.
  const isPanel = isPanelPath(pathname) && (user === undefined ? maySessionExist() : user?.isAdmin === true);
  return (
    <UsRestrictionProvider>
      <HouseProvider screen={pathname}>
        <GameStatusProvider screen={pathname}>
          <RunningRoundsProvider>
            <AppDialogsProvider>
              <a
                href="#content"
                className="sr-only rounded-control bg-brass px-4 py-3 text-on-brass focus:not-sr-only focus:fixed focus:left-3 focus:top-3 focus:z-[70]"
              >
                Skip to content
              </a>
              <TrustAlert />
              <Notices />
              {user && (
                <LoadedPart isWanted={!!user.excludedUntil || user.mustAcceptTerms}>
                  <SessionWatch />
                </LoadedPart>
              )}
              {isPanel ? (
                <Suspense fallback={<FramePlace />}>
                  {user ? <AdminFrame main={main}>{children}</AdminFrame> : <FramePlace>{children}</FramePlace>}
                </Suspense>
              ) : (
                <>
                  <Header />
                  <div className="flex">
                    {isSignedIn ? <Sidebar /> : user === undefined && maySessionExist() && <SidebarPlace />}
                    <main ref={main} id="content" tabIndex={-1} className="main min-w-0 flex-1 outline-none">
                      {children}
                    </main>
                  </div>
                  {isSignedIn && <BottomBar />}
                </>
              )}
              <Toaster />
            </AppDialogsProvider>
          </RunningRoundsProvider>
        </GameStatusProvider>
      </HouseProvider>
    </UsRestrictionProvider>
  );
}

/** The room of the panel's frame while it is loading. */
function FramePlace({ children }: { children?: ReactNode }) {
  return (
    <>
      <div className="h-14 bg-panel" />
      {children}
    </>
  );
}

/** What the operator has stopped: loaded only if there is something. */
function Notices() {
  const { maintenance } = useHouse();
  const { user } = useSession();
  const isNeeded = Boolean(maintenance) || user?.isBettingBlocked === true || user?.isWithdrawingBlocked === true;
  return (
    isNeeded && (
      <LoadedPart isWanted>
        <HouseNotices />
      </LoadedPart>
    )
  );
}

/** Placeholder for a page that is loading. */
export function PageSkeleton() {
  return (
    <div className="mx-auto grid w-full max-w-[1180px] gap-4 p-4 lg:p-6">
      <p role="status" className="sr-only">
        Loading
      </p>
      <Skeleton className="h-9 w-[220px]" />
      <Skeleton className="h-[420px]" />
    </div>
  );
}
