import { PanelLeftClose, PanelLeftOpen } from "lucide-react";
import { useState } from "react";
import { Link, useLocation } from "@/lib/address";
import { Badge } from "@/components";
import { cn } from "@/lib/class-names";
import { InPlayDot, useIsInPlay } from "./in-play";
import { isShown, type Place, sidebarOf } from "./navigation";
import { useIsPaused, useShownGames } from "./shown-games";

const KEY = "glasshouse-sidebar";

function SidebarLink({ place, isCollapsed }: { place: Place; isCollapsed: boolean }) {
  const { to, label, Icon } = place;
  const isCurrent = isShown(place, useLocation());
  const isInPlay = useIsInPlay(place);
  const isPaused = useIsPaused(place);
  const name = `${label}${isPaused ? ", paused" : ""}${isInPlay ? ", in play" : ""}`;
  return (
    <li>
      <Link
        to={to}
        aria-label={name}
        aria-current={isCurrent ? "page" : undefined}
        {...(isCollapsed ? { title: name } : {})}
        className={cn(
          "target relative flex items-center gap-3 rounded-control border-l-2 text-14 transition-colors duration-[120ms] hover:bg-raised hover:text-ink",
          isCurrent ? "border-brass bg-raised text-ink" : "border-transparent text-ink-2",
          isCollapsed ? "justify-center" : "px-3",
        )}
      >
        <Icon aria-hidden className="size-4 shrink-0" />
        {!isCollapsed && label}
        {isPaused && !isInPlay && !isCollapsed && <Badge className="ml-auto">Paused</Badge>}
        {isInPlay &&
          (isCollapsed ? (
            <InPlayDot className="absolute right-2 top-2" />
          ) : (
            <span className="ml-auto flex items-center gap-1.5 text-12 font-semibold text-brass">
              <InPlayDot />
              in play
            </span>
          ))}
      </Link>
    </li>
  );
}

const isStoredCollapsed = (): boolean => localStorage.getItem(KEY) === "collapsed";
const widthOf = (isCollapsed: boolean): string => (isCollapsed ? "w-[72px]" : "w-[216px]");

/** The sidebar's place until it is known who is signed in, so that the screen beside it does not move. */
export function SidebarPlace() {
  return <div className={cn("hidden shrink-0 border-r border-line bg-panel lg:block", widthOf(isStoredCollapsed()))} />;
}

/** The desktop sidebar. The browser remembers whether it is collapsed. */
export function Sidebar() {
  const [isCollapsed, setCollapsed] = useState(isStoredCollapsed);
  const { games, account } = sidebarOf(useShownGames());
  function toggle() {
    localStorage.setItem(KEY, isCollapsed ? "expanded" : "collapsed");
    setCollapsed(!isCollapsed);
  }
  const heading = (text: string) => !isCollapsed && <p className="px-3 pb-1 pt-4 text-12 text-ink-3">{text}</p>;
  const links = (places: readonly Place[]) => (
    <ul className="grid gap-0.5">
      {places.map((place) => (
        <SidebarLink key={place.to} place={place} isCollapsed={isCollapsed} />
      ))}
    </ul>
  );
  const ToggleIcon = isCollapsed ? PanelLeftOpen : PanelLeftClose;
  return (
    <nav
      aria-label="Games and account"
      className={cn(
        "sticky top-14 hidden h-[calc(100dvh-56px)] shrink-0 flex-col border-r border-line bg-panel px-2 pb-3 lg:flex",
        widthOf(isCollapsed),
        isCollapsed && "pt-3",
      )}
    >
      {heading("Games")}
      {links(games)}
      {heading("Account")}
      {links(account)}
      <button
        type="button"
        onClick={toggle}
        aria-label={isCollapsed ? "Expand sidebar" : "Collapse sidebar"}
        className="target mt-auto flex items-center gap-3 rounded-control px-3 text-13 text-ink-3 hover:bg-raised hover:text-ink"
      >
        <ToggleIcon aria-hidden className="size-4" />
        {!isCollapsed && "Collapse"}
      </button>
    </nav>
  );
}
