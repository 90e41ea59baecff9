import { ChevronDown, Menu, Search, User } from "lucide-react";
import { useState } from "react";
import { Link } from "@/lib/address";
import { useSession } from "@/api/session";
import type { CurrentUser } from "@/api/types";
import { Button, DropdownMenu, DropdownMenuTrigger, LateMenuContent, LinkButton } from "@/components";
import { LoadedPart } from "@/components/loaded-part";
import { useSignUp } from "@/features/us-restriction";
import { cn } from "@/lib/class-names";
import { lazyPart } from "@/lib/lazy-part";
import { centsOf, formatDollars } from "@/lib/money";
import { InPlayDot } from "./in-play";
import { useLoginState } from "./login-state";
import { useAppDialogs } from "./providers/dialogs";
import { useRunningRounds } from "./providers/running-rounds";
import { useCountUp } from "./use-count-up";

const SideMenu = lazyPart(() => import("./side-menu"));
const SessionStatus = lazyPart(async () => ({ default: (await import("@/features/session-watch")).SessionStatus }));
const GamesMenuContent = lazyPart(async () => ({ default: (await import("./header-menus")).GamesMenuContent }));
const UserMenuContent = lazyPart(async () => ({ default: (await import("./header-menus")).UserMenuContent }));

export function Header() {
  const { user } = useSession();
  const [isMenuOpen, setMenuOpen] = useState(false);
  return (
    <header className="sticky top-0 z-30 bg-panel shadow-[inset_0_-1px_var(--color-line)]">
      <div className="flex h-14 items-center gap-1 px-2 lg:grid lg:grid-cols-[1fr_auto_1fr] lg:gap-2 lg:px-4">
        <div className="flex items-center gap-2">
          <div className="relative">
            <Link
              to="/"
              className={cn("display flex min-h-[44px] items-center px-1 text-20 font-bold", user && "pb-3")}
            >
              Glasshouse
            </Link>
            {user && (
              <LoadedPart isWanted={false}>
                <SessionStatus />
              </LoadedPart>
            )}
          </div>
          <GamesMenu />
          {user && <SearchButton />}
          <RoundsInPlay />
        </div>
        {user ? <BalanceBar user={user} /> : <span />}
        <div className="ml-auto flex items-center justify-end gap-1">
          {user ? <UserMenu user={user} /> : user === null && <VisitorActions />}
          <button
            type="button"
            aria-label="Open menu"
            className="flex size-11 items-center justify-center rounded-control text-ink-2 hover:bg-raised hover:text-ink lg:hidden"
            onClick={() => setMenuOpen(true)}
          >
            <Menu aria-hidden className="size-5" />
          </button>
        </div>
      </div>
      <LoadedPart isWanted={isMenuOpen} onFailed={() => setMenuOpen(false)}>
        <SideMenu open={isMenuOpen} onOpenChange={setMenuOpen} />
      </LoadedPart>
    </header>
  );
}

function GamesMenu() {
  return (
    <DropdownMenu className="max-lg:hidden">
      <DropdownMenuTrigger className="target flex items-center gap-1.5 rounded-control px-3 text-14 text-ink-2 hover:bg-raised hover:text-ink">
        Games
        <ChevronDown aria-hidden className="size-4" />
      </DropdownMenuTrigger>
      <LateMenuContent>
        <GamesMenuContent />
      </LateMenuContent>
    </DropdownMenu>
  );
}

const SEARCH_KEY = /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘K" : "Ctrl K";

/** On a phone the search is in the side menu. */
function SearchButton() {
  const { openSearch } = useAppDialogs();
  return (
    <button
      type="button"
      aria-label="Search"
      aria-keyshortcuts="Control+K Meta+K"
      className="target hidden items-center gap-2 rounded-control px-3 text-14 text-ink-2 hover:bg-raised hover:text-ink lg:flex"
      onClick={openSearch}
    >
      <Search aria-hidden className="size-4" />
      <span className="max-xl:hidden">Search</span>
      <kbd className="rounded-chip border border-line px-1.5 font-sans text-12 text-ink-3 max-xl:hidden">
        {SEARCH_KEY}
      </kbd>
    </button>
  );
}

/** Links back to rounds that continue while another screen is shown. On a phone they are in the bottom bar. */
function RoundsInPlay() {
  return useRunningRounds().map(({ id, path, label }, index) => (
    <Link
      key={id}
      to={path}
      className={cn(
        "target flex items-center gap-2 whitespace-nowrap rounded-control border border-brass px-3 text-13 font-semibold text-brass hover:bg-raised max-sm:hidden",
        // There is room for one; the others are in the sidebar or the bottom bar.
        index > 0 && "max-xl:hidden",
      )}
    >
      <InPlayDot />
      {label} in play
    </Link>
  ));
}

function BalanceBar({ user }: { user: CurrentUser }) {
  const { openDeposit, openWithdraw } = useAppDialogs();
  const cents = useCountUp(centsOf(user.balance));
  return (
    <div className="flex items-center gap-2 max-lg:ml-auto">
      <div className="flex items-center overflow-hidden rounded-control bg-well">
        <span className="flex items-baseline gap-2 px-3 text-14 font-semibold">
          <span className="sr-only">Balance</span>
          <span data-testid="balance" data-balance>
            {formatDollars(cents)}
          </span>
        </span>
        <Button variant="primary" className="rounded-none px-4 max-sm:px-3" onClick={openDeposit}>
          Deposit
        </Button>
      </div>
      <Button variant="ghost" className="max-lg:hidden" onClick={openWithdraw}>
        Withdraw
      </Button>
    </div>
  );
}

function UserMenu({ user }: { user: CurrentUser }) {
  return (
    <div className="flex items-center gap-1 max-lg:hidden">
      {user.isAdmin && (
        <LinkButton to="/admin" variant="ghost" size="small">
          Admin
        </LinkButton>
      )}
      <DropdownMenu>
        <DropdownMenuTrigger className="flex min-h-[44px] items-center gap-2 rounded-control px-3 text-14 text-ink-2 hover:bg-raised hover:text-ink">
          <User aria-hidden className="size-4" />
          {user.username}
          <ChevronDown aria-hidden className="size-4" />
        </DropdownMenuTrigger>
        <LateMenuContent>
          <UserMenuContent user={user} />
        </LateMenuContent>
      </DropdownMenu>
    </div>
  );
}

function VisitorActions() {
  const signUp = useSignUp();
  const state = useLoginState();
  return (
    <>
      <LinkButton to="/auth" state={state} variant="ghost" className="max-sm:px-2">
        Login
      </LinkButton>
      <Button variant="primary" className="max-sm:px-3" onClick={signUp}>
        Sign Up
      </Button>
    </>
  );
}
