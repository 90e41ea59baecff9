import { PanelLeftClose, PanelLeftOpen } from "lucide-react";
import { useState } from "react";
import { Link, useLocation } from "react-router-dom";
import { cn } from "@/lib/class-names";
import { BOTTOM, isShown, type Place, RAIL } from "./navigation";
import { useRunningRounds } from "./running-rounds";

const KEY = "glasshouse-rail";

/** Whether a round is in play in a game of this entry, on another screen than the one that is shown. */
function useIsInPlay({ games }: Place): boolean {
  return useRunningRounds().some(({ game }) => games?.includes(game));
}

function RailLink({ place, isNarrow }: { place: Place; isNarrow: boolean }) {
  const { to, label, Icon } = place;
  const isCurrent = isShown(place, useLocation());
  const isInPlay = useIsInPlay(place);
  const name = isInPlay ? `${label}, in play` : label;
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
        {isInPlay && (isNarrow ? <InPlayDot className="absolute right-2 top-2" /> : <span className="ml-auto flex items-center gap-1.5 text-12 font-semibold text-brass"><InPlayDot />in play</span>)}
      </Link>
    </li>
  );
}

/** Marks what is going on; beside it stands a word that says so. */
export function InPlayDot({ className }: { className?: string }) {
  return <span aria-hidden className={cn("edge-filled block size-2 rounded-full bg-brass", className)} />;
}

/** The games at the side of a desktop; can be made narrow, which the browser remembers. */
export function Rail() {
  const [isNarrow, setNarrow] = useState(() => localStorage.getItem(KEY) === "narrow");
  function toggle() {
    localStorage.setItem(KEY, isNarrow ? "wide" : "narrow");
    setNarrow(!isNarrow);
  }
  const heading = (text: string) => !isNarrow && <p className="px-3 pb-1 pt-4 text-12 text-ink-3">{text}</p>;
  const links = (places: readonly Place[]) => (
    <ul className="grid gap-0.5">
      {places.map((place) => (
        <RailLink key={place.to} place={place} isNarrow={isNarrow} />
      ))}
    </ul>
  );
  const ToggleIcon = isNarrow ? PanelLeftOpen : PanelLeftClose;
  return (
    <nav aria-label="Games and account" className={cn("sticky top-14 hidden h-[calc(100dvh-56px)] shrink-0 flex-col border-r border-line bg-panel px-2 pb-3 lg:flex", isNarrow ? "w-[72px] pt-3" : "w-[216px]")}>
      {heading("Games")}
      {links(RAIL.games)}
      {heading("Account")}
      {links(RAIL.account)}
      <button type="button" onClick={toggle} aria-label={isNarrow ? "Widen the rail" : "Narrow the rail"} className="target mt-auto flex items-center gap-3 rounded-control px-3 text-13 text-ink-3 hover:bg-raised hover:text-ink">
        <ToggleIcon aria-hidden className="size-4" />
        {!isNarrow && "Narrow"}
      </button>
    </nav>
  );
}

function BottomLink({ place }: { place: Place }) {
  const { to, label, Icon } = place;
  const isCurrent = isShown(place, useLocation());
  const isInPlay = useIsInPlay(place);
  return (
    <li className="min-w-0">
      <Link
        to={to}
        aria-current={isCurrent ? "page" : undefined}
        className={cn(
          "relative grid min-h-[56px] content-center justify-items-center gap-0.5 border-t-2 border-transparent text-12 text-ink-2 -outline-offset-2 short:h-full short:min-h-[44px] short:border-l-2 short:border-t-0",
          isCurrent && "border-brass font-semibold text-brass",
        )}
      >
        <Icon aria-hidden className="size-5" />
        <span className="max-w-full truncate">
          {isInPlay ? (
            <>
              <span className="sr-only">{label}, </span>
              <span className="font-semibold text-brass">in play</span>
            </>
          ) : (
            label
          )}
        </span>
        {isInPlay && <InPlayDot className="absolute right-2 top-1.5" />}
      </Link>
    </li>
  );
}

/** Every game, the wallet and the history, at the bottom of a phone; at its side while it lies on its side. */
export function BottomBar() {
  return (
    <nav
      aria-label="Main"
      data-bottom-bar
      className="fixed inset-x-0 bottom-0 z-20 border-t border-line bg-panel pb-[env(safe-area-inset-bottom)] lg:hidden short:right-auto short:top-14 short:w-[57px] short:border-r short:border-t-0 short:pb-0"
    >
      <ul className="grid grid-cols-7 short:h-full short:grid-cols-1 short:overflow-y-auto">
        {BOTTOM.map((place) => (
          <BottomLink key={place.to} place={place} />
        ))}
      </ul>
    </nav>
  );
}
