import { PanelLeftClose, PanelLeftOpen } from "lucide-react";
import { useState } from "react";
import { Link, useLocation } from "react-router-dom";
import { Badge } from "@/components";
import { cn } from "@/lib/class-names";
import { InPlayDot, useIsInPlay } from "./in-play";
import { isShown, type Place, sidebarOf } from "./navigation";
import { useIsPaused, useShownGames } from "./shown-games";

const KEY = "glasshouse-rail";

function SidebarLink({ place, isNarrow }: { place: Place; isNarrow: boolean }) {
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
        {...(isNarrow ? { title: name } : {})}
        className={cn(
          "target relative flex items-center gap-3 rounded-control border-l-2 border-transparent px-3 text-14 text-ink-2 transition-colors duration-[120ms] hover:bg-raised hover:text-ink",
          isCurrent && "border-brass bg-raised text-ink",
          isNarrow && "justify-center px-0",
        )}
      >
        <Icon aria-hidden className="size-4 shrink-0" />
        {!isNarrow && label}
        {isPaused && !isInPlay && !isNarrow && <Badge className="ml-auto">Paused</Badge>}
        {isInPlay &&
          (isNarrow ? (
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

/** The games at the side of a desktop; can be made narrow, which the browser remembers. */
export function Sidebar() {
  const [isNarrow, setNarrow] = useState(() => localStorage.getItem(KEY) === "narrow");
  const { games, account } = sidebarOf(useShownGames());
  function toggle() {
    localStorage.setItem(KEY, isNarrow ? "wide" : "narrow");
    setNarrow(!isNarrow);
  }
  const heading = (text: string) => !isNarrow && <p className="px-3 pb-1 pt-4 text-12 text-ink-3">{text}</p>;
  const links = (places: readonly Place[]) => (
    <ul className="grid gap-0.5">
      {places.map((place) => (
        <SidebarLink key={place.to} place={place} isNarrow={isNarrow} />
      ))}
    </ul>
  );
  const ToggleIcon = isNarrow ? PanelLeftOpen : PanelLeftClose;
  return (
    <nav
      aria-label="Games and account"
      className={cn(
        "sticky top-14 hidden h-[calc(100dvh-56px)] shrink-0 flex-col border-r border-line bg-panel px-2 pb-3 lg:flex",
        isNarrow ? "w-[72px] pt-3" : "w-[216px]",
      )}
    >
      {heading("Games")}
      {links(games)}
      {heading("Account")}
      {links(account)}
      <button
        type="button"
        onClick={toggle}
        aria-label={isNarrow ? "Widen the rail" : "Narrow the rail"}
        className="target mt-auto flex items-center gap-3 rounded-control px-3 text-13 text-ink-3 hover:bg-raised hover:text-ink"
      >
        <ToggleIcon aria-hidden className="size-4" />
        {!isNarrow && "Narrow"}
      </button>
    </nav>
  );
}
