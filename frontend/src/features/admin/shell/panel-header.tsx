// The header of the panel. It has nothing of the games.

import { ArrowLeft, LogOut, Menu, Search } from "lucide-react";
import { type ReactNode, useState } from "react";
import { ROLE_NAMES } from "@/api/role-names";
import { useUser } from "@/api/session";
import { Badge, Button, Dialog, IconButton, LinkButton } from "@/components";
import { Link } from "@/lib/address";
import { zoneAt } from "@/lib/zoned-time";
import { useNow } from "@/lib/use-now";
import { OwnRole } from "../permissions";
import { type PanelTab, tabAddress } from "../tabs";
import { usePanelTabs } from "./panel-tabs";
import { useShownTab, useWaiting, Waiting } from "./panel-navigation";

export type PanelActions = {
  /** Opens the search of the panel. */
  openSearch(): void;
  openShortcuts(): void;
  logOut(): void;
};

export function PanelHeader(actions: PanelActions) {
  const { openSearch, logOut } = actions;
  const user = useUser();
  const zone = zoneAt(useNow());
  const [isMenuOpen, setMenuOpen] = useState(false);
  if (user === null) return null;
  return (
    <header className="sticky top-0 z-30 bg-panel shadow-[inset_0_-1px_var(--color-line)]">
      <div className="flex h-14 items-center gap-1 px-2 lg:gap-2 lg:px-4">
        <Link to="/admin" className="display flex min-h-[44px] items-center px-1 text-20 font-bold">
          Glasshouse
        </Link>
        <PanelName />
        <SearchField onOpen={openSearch} />
        <div className="ml-auto flex items-center gap-1 lg:gap-2">
          <IconButton
            label="Search the panel"
            icon={<Search className="size-5" />}
            onClick={openSearch}
            className="lg:hidden"
          />
          <p className="whitespace-nowrap px-2 text-13 text-ink-3 max-xl:hidden">Times in {zone}</p>
          <p className="flex items-center gap-2 px-2 text-14 text-ink-2 max-lg:hidden">
            {user.username}
            <Badge>{ROLE_NAMES[user.role]}</Badge>
          </p>
          <LinkButton to="/dashboard" variant="ghost" size="small" className="max-lg:hidden">
            <ArrowLeft aria-hidden className="size-4" />
            Back to the casino
          </LinkButton>
          <Button variant="ghost" size="small" className="max-lg:hidden" onClick={logOut}>
            <LogOut aria-hidden className="size-4" />
            Log out
          </Button>
          <button
            type="button"
            aria-label="Open menu"
            aria-haspopup="dialog"
            className="relative flex size-11 items-center justify-center rounded-control text-ink-2 hover:bg-raised hover:text-ink lg:hidden"
            onClick={() => setMenuOpen(true)}
          >
            <Menu aria-hidden className="size-5" />
          </button>
        </div>
      </div>
      {isMenuOpen && <PanelMenu {...actions} onClose={() => setMenuOpen(false)} />}
    </header>
  );
}

/** Each of the panel's other pages has a heading of its own. */
function PanelName() {
  const isTab = useShownTab() !== null;
  const name = (
    <Link to="/admin" className="flex min-h-[44px] items-center px-2 text-14 text-ink-2 hover:text-ink">
      Admin Panel
    </Link>
  );
  return isTab ? <h1 className="font-sans tracking-normal">{name}</h1> : name;
}

/** Looks like a field; what is typed goes into the dialog that it opens. */
function SearchField({ onOpen }: { onOpen(): void }) {
  return (
    <button
      type="button"
      aria-keyshortcuts="/ Control+K Meta+K"
      onClick={onOpen}
      className="target ml-4 flex w-full max-w-[340px] items-center gap-2 rounded-control border border-control bg-well px-3 text-left text-14 text-ink-3 hover:text-ink max-lg:hidden"
    >
      <Search aria-hidden className="size-4 shrink-0" />
      <span className="min-w-0 flex-1 truncate">Search users by name or ID</span>
      <kbd aria-hidden className="rounded-chip border border-line px-1.5 font-sans text-12">
        Ctrl K
      </kbd>
    </button>
  );
}

const ROW =
  "flex min-h-[44px] w-full items-center gap-3 rounded-control px-3 text-16 text-ink hover:bg-raised aria-[current=page]:bg-raised";

/** On a phone: everything that the header and the sidebar have. */
function PanelMenu({ onClose, openSearch, openShortcuts, logOut }: PanelActions & { onClose(): void }) {
  const user = useUser();
  const zone = zoneAt(useNow());
  const action = (label: string, run: () => void) => (
    <li>
      <button
        type="button"
        className={ROW}
        onClick={() => {
          onClose();
          run();
        }}
      >
        {label}
      </button>
    </li>
  );
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Admin Panel"
      description={
        <>
          Signed in as {user?.username}. Times in {zone}.
        </>
      }
    >
      <ul className="-mx-3 grid">
        {usePanelTabs().map((tab) => (
          <MenuTab key={tab.value} tab={tab} onChoose={onClose} to={tabAddress(tab.value)} />
        ))}
      </ul>
      <ul className="-mx-3 mt-3 grid border-t border-line pt-3">
        {action("Search", openSearch)}
        {action("Keyboard shortcuts", openShortcuts)}
        <li>
          <Link to="/dashboard" className={ROW} onClick={onClose}>
            Back to the casino
          </Link>
        </li>
        {action("Log out", logOut)}
      </ul>
      <div className="mt-3 border-t border-line pt-4">
        <OwnRole />
      </div>
    </Dialog>
  );
}

function MenuTab({ tab, to, onChoose }: { tab: PanelTab; to: string; onChoose(): void }): ReactNode {
  const { label, Icon } = tab;
  const isShown = useShownTab() === tab.value;
  return (
    <li>
      <Link to={to} aria-current={isShown ? "page" : undefined} className={ROW} onClick={onChoose}>
        <Icon aria-hidden className="size-4 shrink-0 text-ink-2" />
        {label}
        <Waiting count={useWaiting(tab)} className="ml-auto" />
      </Link>
    </li>
  );
}
