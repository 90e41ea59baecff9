// The navigation of the panel: a sidebar, or on a phone a bar at the bottom that can be swiped.

import { type KeyboardEvent, type MouseEvent, useEffect, useRef } from "react";
import { Link, useLocation } from "@/lib/address";
import { moveFocus } from "@/components/arrow-keys";
import { cn } from "@/lib/class-names";
import { PHONE, useMatches } from "@/lib/media";
import { usePendingWork, waitingText } from "../live/pending-work";
import { OwnRole } from "../permissions";
import { type PanelTab, tabAddress } from "../tabs";
import { usePanelTabs, usePermittedTab } from "./panel-tabs";

/** The content of the tab that is shown. */
export const PANEL_CONTENT_ID = "admin-tab-content";

export const tabId = (tab: string): string => `admin-tab-${tab}`;

/** The tab that is shown; null on the panel's other pages. */
export function useShownTab() {
  const { pathname, search } = useLocation();
  const tab = usePermittedTab(new URLSearchParams(search).get("tab"));
  return /^\/admin\/?$/i.test(pathname) ? tab : null;
}

/** How much waits at a tab. */
export function useWaiting(tab: PanelTab): number {
  const { data } = usePendingWork();
  return (tab.waiting ?? []).reduce((sum, kind) => sum + (data?.[kind] ?? 0), 0);
}

/** A tab has the heading if it is the first of its group. */
const headingOf = (tabs: readonly PanelTab[], tab: PanelTab, index: number): string | null =>
  tab.group !== tabs[index - 1]?.group ? tab.group : null;

/** Arrow keys only move the focus; they do not open a tab, since each loads a page of data. */
const moveToTab = (event: KeyboardEvent<HTMLElement>): void => void moveFocus(event, '[role="tab"]', "both");

export function PanelNavigation() {
  const shown = useShownTab();
  const tabs = usePanelTabs();
  const isPhone = useMatches(PHONE);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // On a phone they do not all fit.
    if (shown !== null)
      list.current?.querySelector(`#${tabId(shown)}`)?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [shown]);
  return (
    <nav
      aria-label="Admin panel"
      data-bottom-bar
      className="z-20 border-line bg-panel max-lg:fixed max-lg:inset-x-0 max-lg:bottom-0 max-lg:border-t max-lg:pb-[env(safe-area-inset-bottom)] short:right-auto short:top-14 short:w-[57px] short:border-r short:border-t-0 short:pb-0 lg:sticky lg:top-14 lg:flex lg:h-[calc(100dvh-56px)] lg:w-[216px] lg:shrink-0 lg:flex-col lg:overflow-y-auto lg:border-r lg:px-2 lg:pb-4"
    >
      <div
        ref={list}
        role="tablist"
        aria-label="Admin panel"
        aria-orientation={isPhone ? "horizontal" : "vertical"}
        tabIndex={-1}
        onKeyDown={moveToTab}
        className="outline-none max-lg:flex max-lg:overflow-x-auto max-lg:[scrollbar-width:none] short:h-full short:flex-col short:overflow-y-auto lg:grid lg:gap-0.5 lg:pt-3"
      >
        {tabs.map((tab, index) => {
          const heading = headingOf(tabs, tab, index);
          return [
            heading !== null && (
              <p key={heading} aria-hidden className="px-3 pb-1 pt-4 text-12 text-ink-3 max-lg:hidden">
                {heading}
              </p>
            ),
            <NavigationTab
              key={tab.value}
              tab={tab}
              isShown={tab.value === shown}
              isStop={shown === null ? index === 0 : tab.value === shown}
            />,
          ];
        })}
      </div>
      <div className="mt-auto px-3 pt-6 max-lg:hidden">
        <OwnRole />
      </div>
    </nav>
  );
}

type NavigationTabProps = {
  tab: PanelTab;
  isShown: boolean;
  /** Whether the Tab key stops here; from there the arrow keys lead on. */
  isStop: boolean;
};

function NavigationTab({ tab, isShown, isStop }: NavigationTabProps) {
  const { label, Icon } = tab;
  const waiting = useWaiting(tab);
  return (
    <Link
      to={tabAddress(tab.value)}
      role="tab"
      id={tabId(tab.value)}
      aria-selected={isShown}
      aria-controls={isShown ? PANEL_CONTENT_ID : undefined}
      tabIndex={isStop ? 0 : -1}
      onClick={scrollUp}
      className={cn(
        "target relative flex items-center -outline-offset-2 transition-colors duration-[120ms]",
        "max-lg:min-h-[56px] max-lg:min-w-[76px] max-lg:shrink-0 max-lg:flex-col max-lg:justify-center max-lg:gap-0.5 max-lg:border-t-2 max-lg:px-2 max-lg:text-12 short:min-w-0 short:border-l-2 short:border-t-0 short:px-0",
        "lg:gap-3 lg:rounded-control lg:border-l-2 lg:px-3 lg:text-14 lg:hover:bg-raised lg:hover:text-ink",
        isShown
          ? "border-brass text-ink max-lg:font-semibold max-lg:text-brass lg:bg-raised"
          : "border-transparent text-ink-2",
      )}
    >
      <Icon aria-hidden className="size-5 shrink-0 lg:size-4" />
      <span className="whitespace-nowrap short:sr-only">{label}</span>
      <Waiting count={waiting} className="max-lg:absolute max-lg:right-2 max-lg:top-1 lg:ml-auto" />
    </Link>
  );
}

/** The screen behind the link is the same one, so its place is the top of it. */
function scrollUp({ button }: MouseEvent): void {
  if (button === 0) window.scrollTo(0, 0);
}

/** How many wait; nothing if none does. */
export function Waiting({ count, className }: { count: number; className?: string }) {
  if (count === 0) return null;
  return (
    <span className={cn("rounded-chip bg-brass px-1.5 text-12 font-semibold text-on-brass", className)}>
      <span aria-hidden>{count > 99 ? "99+" : count}</span>
      <span className="sr-only">{` ${waitingText(count)}`}</span>
    </span>
  );
}
