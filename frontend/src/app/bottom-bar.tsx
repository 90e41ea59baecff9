import { LayoutGrid } from "lucide-react";
import { useState } from "react";
import { LateDialog as Dialog } from "@/components/late-dialog";
import { Link, useLocation } from "@/lib/address";
import { cn } from "@/lib/class-names";
import { InPlayDot, useIsInPlay } from "./in-play";
import { bottomBarOf, isShown, type Place } from "./navigation";
import { useRunningRounds } from "./providers/running-rounds";
import { useIsPaused, useShownGames } from "./shown-games";

function BottomLink({ place }: { place: Place }) {
  const { to, label, Icon } = place;
  const isCurrent = isShown(place, useLocation());
  const isInPlay = useIsInPlay(place);
  const isPaused = useIsPaused(place);
  return (
    <li className="min-w-0">
      <Link
        to={to}
        aria-current={isCurrent ? "page" : undefined}
        className={cn(
          "relative grid min-h-[56px] content-center justify-items-center gap-0.5 border-t-2 text-12 -outline-offset-2 short:h-full short:min-h-[44px] short:border-l-2 short:border-t-0",
          isCurrent ? "border-brass font-semibold text-brass" : "border-transparent text-ink-2",
        )}
      >
        <Icon aria-hidden className={cn("size-5", isPaused && "opacity-55")} />
        <span className="max-w-full truncate">
          {isInPlay ? (
            <>
              <span className="sr-only">{label}, </span>
              <span className="font-semibold text-brass">in play</span>
            </>
          ) : (
            label
          )}
          {isPaused && <span className="sr-only">, paused</span>}
        </span>
        {isInPlay && <InPlayDot className="absolute right-2 top-1.5" />}
      </Link>
    </li>
  );
}

/** The bottom navigation of a phone (at the side in landscape): games, wallet and history. */
export function BottomBar() {
  const where = useLocation();
  const running = useRunningRounds();
  const { home, games, account, all } = bottomBarOf(
    useShownGames(),
    (place) => isShown(place, where) || running.some((game) => place.games?.includes(game)),
  );
  return (
    <nav
      aria-label="Main"
      data-bottom-bar
      className="fixed inset-x-0 bottom-0 z-20 border-t border-line bg-panel pb-[env(safe-area-inset-bottom)] lg:hidden short:right-auto short:top-14 short:w-[57px] short:border-r short:border-t-0 short:pb-0"
    >
      <ul className="grid auto-cols-fr grid-flow-col short:h-full short:grid-flow-row short:grid-cols-1 short:overflow-y-auto">
        {[home, ...games].map((place) => (
          <BottomLink key={place.to} place={place} />
        ))}
        {all !== null && <AllGames places={all} />}
        {account.map((place) => (
          <BottomLink key={place.to} place={place} />
        ))}
      </ul>
    </nav>
  );
}

/** Opens the list of all games. */
function AllGames({ places }: { places: readonly Place[] }) {
  const [isOpen, setOpen] = useState(false);
  const where = useLocation();
  return (
    <li className="min-w-0">
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        className="grid min-h-[56px] w-full content-center justify-items-center gap-0.5 border-t-2 border-transparent text-12 text-ink-2 -outline-offset-2 short:h-full short:min-h-[44px] short:border-t-0"
      >
        <LayoutGrid aria-hidden className="size-5" />
        Games
      </button>
      <Dialog open={isOpen} onOpenChange={setOpen} title="Games">
        <ul className="grid grid-cols-2 gap-2">
          {places.map((place) => (
            <li key={place.to}>
              <Link
                to={place.to}
                aria-current={isShown(place, where) ? "page" : undefined}
                onClick={() => setOpen(false)}
                className="flex min-h-[56px] items-center gap-3 rounded-control bg-raised px-4 text-14 aria-[current=page]:font-semibold aria-[current=page]:text-brass"
              >
                <place.Icon aria-hidden className="size-5 shrink-0" />
                {place.label}
              </Link>
            </li>
          ))}
        </ul>
      </Dialog>
    </li>
  );
}
