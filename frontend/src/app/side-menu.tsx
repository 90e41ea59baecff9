import { X } from "lucide-react";
import { Dialog } from "radix-ui";
import type { ReactNode } from "react";
import { Link } from "@/lib/address";
import { useSession } from "@/api/session";
import { Badge, IconButton } from "@/components";
import { closing, leaveClicksToOverlay } from "@/components/dismissal";
import { useSignUp } from "@/features/us-restriction";
import { useAnnouncedGames } from "@/games/announced";
import { useGameStatuses } from "@/games/game-status";
import { formatWire } from "@/lib/money";
import { useLoginState } from "./login-state";
import { useAppDialogs } from "./providers/dialogs";
import { useRunningRounds } from "./providers/running-rounds";
import { useShownGames } from "./shown-games";
import { useLogOut } from "./use-log-out";

const ROW =
  "flex min-h-[44px] w-full items-center justify-between gap-3 rounded-control px-3 text-16 text-ink hover:bg-raised";

type SideMenuProps = { open: boolean; onOpenChange(open: boolean): void };

/** The phone menu, with everything that the header has on a desktop. Loaded when it is opened. */
export default function SideMenu({ open, onOpenChange }: SideMenuProps) {
  const { user } = useSession();
  const { openDeposit, openWithdraw, openFairness, openSearch, openHotkeys } = useAppDialogs();
  const signUp = useSignUp();
  const logOut = useLogOut();
  const inPlay = new Set(useRunningRounds());
  const loginState = useLoginState();
  const shown = useShownGames();
  const { statusOf } = useGameStatuses();
  const announced = useAnnouncedGames();
  const close = () => onOpenChange(false);
  const link = (to: string, children: ReactNode, key = to, state: unknown = null) => (
    <li key={key}>
      <Link to={to} state={state} className={ROW} onClick={close}>
        {children}
      </Link>
    </li>
  );
  const action = (label: string, run: () => void) => (
    <li key={label}>
      <button
        type="button"
        className={ROW}
        onClick={() => {
          close();
          run();
        }}
      >
        {label}
      </button>
    </li>
  );
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay {...closing(close)} className="fixed inset-0 z-40 bg-well/80" />
        <Dialog.Content
          aria-describedby={undefined}
          {...leaveClicksToOverlay}
          className="fixed inset-y-0 right-0 z-50 flex w-[min(320px,88vw)] flex-col overflow-y-auto bg-panel p-3 shadow-float"
        >
          <div className="flex items-center justify-between pl-3">
            <Dialog.Title className="text-16 font-semibold">{user ? user.username : "Menu"}</Dialog.Title>
            <Dialog.Close asChild>
              <IconButton label="Close menu" icon={<X className="size-5" />} />
            </Dialog.Close>
          </div>
          {user && <p className="px-3 pb-2 text-14 text-ink-2">{formatWire(user.balance)}</p>}
          <ul className="grid border-t border-line py-2">
            {shown.map((game) =>
              link(
                game.path,
                <>
                  {inPlay.has(game) ? `${game.name}, in play` : game.name}
                  {statusOf(game) === "paused" && <Badge>Paused</Badge>}
                </>,
              ),
            )}
            {announced
              .filter(({ isInMenu }) => isInMenu)
              .map(({ name }) =>
                link(
                  "/coming-soon",
                  <>
                    {name}
                    <Badge>Coming Soon</Badge>
                  </>,
                  name,
                ),
              )}
          </ul>
          <ul className="grid border-t border-line py-2">
            {user
              ? [
                  action("Search", openSearch),
                  action("Deposit", openDeposit),
                  action("Withdraw", openWithdraw),
                  user.isAdmin && link("/admin", "Admin Panel"),
                  link("/dashboard", "Dashboard"),
                  link("/history", "Game History"),
                  link("/statistics", "Statistics"),
                  action("Fairness", () => openFairness()),
                  action("Hotkeys", openHotkeys),
                  link("/settings", "Settings"),
                  link("/responsible-gaming", "Responsible Gaming"),
                  action("Log out", () => void logOut()),
                ]
              : [
                  link("/auth", "Login", "/auth", loginState),
                  action("Sign Up", signUp),
                  link("/responsible-gaming", "Responsible Gaming"),
                ]}
          </ul>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
