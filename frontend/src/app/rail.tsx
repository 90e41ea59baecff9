import { Dices, History, LayoutDashboard, PanelLeftClose, PanelLeftOpen, Spade, TrendingUp, Zap } from "lucide-react";
import { useState } from "react";
import { NavLink } from "react-router-dom";
import { cn } from "@/lib/class-names";

const GAMES = [
  { to: "/dice", label: "Dice", Icon: Dices },
  { to: "/crash", label: "Crash", Icon: Zap },
  { to: "/stonks", label: "Stonks", Icon: TrendingUp },
  { to: "/poker", label: "Video poker", Icon: Spade },
];
const ACCOUNT = [
  { to: "/history", label: "History", Icon: History },
  { to: "/dashboard", label: "Dashboard", Icon: LayoutDashboard },
];
const KEY = "glasshouse-rail";

type Entry = (typeof GAMES)[number];

function RailLink({ entry: { to, label, Icon }, isNarrow }: { entry: Entry; isNarrow: boolean }) {
  return (
    <li>
      <NavLink
        to={to}
        aria-label={label}
        {...(isNarrow ? { title: label } : {})}
        className={({ isActive }) =>
          cn(
            "flex h-10 items-center gap-3 rounded-control border-l-2 border-transparent px-3 text-14 text-ink-2 transition-colors duration-[120ms] hover:bg-raised hover:text-ink",
            isActive && "border-brass bg-raised text-ink",
            isNarrow && "justify-center px-0",
          )
        }
      >
        <Icon aria-hidden className="size-4 shrink-0" />
        {!isNarrow && label}
      </NavLink>
    </li>
  );
}

/** The games at the side of a desktop; can be made narrow, which the browser remembers. */
export function Rail() {
  const [isNarrow, setNarrow] = useState(() => localStorage.getItem(KEY) === "narrow");
  function toggle() {
    localStorage.setItem(KEY, isNarrow ? "wide" : "narrow");
    setNarrow(!isNarrow);
  }
  const heading = (text: string) => !isNarrow && <p className="px-3 pb-1 pt-4 text-12 text-ink-3">{text}</p>;
  const ToggleIcon = isNarrow ? PanelLeftOpen : PanelLeftClose;
  return (
    <nav aria-label="Games and account" className={cn("sticky top-14 hidden h-[calc(100dvh-56px)] shrink-0 flex-col border-r border-line bg-panel px-2 pb-3 lg:flex", isNarrow ? "w-[72px] pt-3" : "w-[216px]")}>
      {heading("Games")}
      <ul className="grid gap-0.5">
        {GAMES.map((entry) => (
          <RailLink key={entry.to} entry={entry} isNarrow={isNarrow} />
        ))}
      </ul>
      {heading("Account")}
      <ul className="grid gap-0.5">
        {ACCOUNT.map((entry) => (
          <RailLink key={entry.to} entry={entry} isNarrow={isNarrow} />
        ))}
      </ul>
      <button type="button" onClick={toggle} aria-label={isNarrow ? "Widen the rail" : "Narrow the rail"} className="mt-auto flex h-10 items-center gap-3 rounded-control px-3 text-13 text-ink-3 hover:bg-raised hover:text-ink">
        <ToggleIcon aria-hidden className="size-4" />
        {!isNarrow && "Narrow"}
      </button>
    </nav>
  );
}

const BOTTOM = [
  { to: "/dice", label: "Dice", Icon: Dices },
  { to: "/dashboard", label: "Dashboard", Icon: LayoutDashboard },
  { to: "/history", label: "History", Icon: History },
];

/** The places one goes to most, at the bottom of a phone. */
export function BottomBar() {
  return (
    <nav aria-label="Main" className="fixed inset-x-0 bottom-0 z-20 border-t border-line bg-panel pb-[env(safe-area-inset-bottom)] lg:hidden">
      <ul className="grid grid-cols-3">
        {BOTTOM.map(({ to, label, Icon }) => (
          <li key={to}>
            <NavLink to={to} className={({ isActive }) => cn("grid min-h-[56px] content-center justify-items-center gap-0.5 text-12 text-ink-2", isActive && "text-brass")}>
              <Icon aria-hidden className="size-5" />
              {label}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
