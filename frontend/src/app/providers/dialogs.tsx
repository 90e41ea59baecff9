import { createContext, type ReactNode, Suspense, use, useCallback, useLayoutEffect, useMemo, useState } from "react";
import { ErrorBoundary } from "react-error-boundary";
import { ConnectionError } from "@/api/client";
import { useUser } from "@/api/session";
import { toast } from "@/components";
import type { OpenDeposit } from "@/features/wallet/api/wallet";
import { ExplainRoundContext } from "@/games/rounds/explain";
import { useHeldHotkeys, useHotkeys } from "@/lib/hotkeys";
import { useWasIdle } from "@/lib/idle";
import { lazyPart, PartNotLoadedError, renewParts } from "@/lib/lazy-part";

// Most visits open none of them.
const OpenDialog = lazyPart(() => import("./open-dialog"));

/** A dialog that is open, and what it shows. */
export type Open =
  | { name: "search" }
  | { name: "deposit"; deposit?: OpenDeposit }
  | { name: "withdraw" }
  | { name: "hotkeys" }
  | { name: "fairness"; roundId?: number }
  | { name: "explanation"; roundId: number };

/** What only the signed-in player can open. */
const PLAYERS_OWN: ReadonlySet<Open["name"]> = new Set(["search", "deposit", "withdraw", "explanation"]);

export type AppDialogs = {
  openDeposit(): void;
  /** Opens the invoice of an earlier deposit. */
  reopenDeposit(deposit: OpenDeposit): void;
  openWithdraw(): void;
  openFairness(roundId?: number): void;
  openSearch(): void;
  openHotkeys(): void;
};

const DialogsContext = createContext<AppDialogs | null>(null);

export function useAppDialogs(): AppDialogs {
  const dialogs = use(DialogsContext);
  if (!dialogs) throw new Error("useAppDialogs needs an AppDialogsProvider");
  return dialogs;
}

/** Ctrl-K, or Cmd-K on a Mac, opens the search, unless another dialog is open. */
function useSearchKey(openSearch: () => void): void {
  const isSignedIn = Boolean(useUser());
  useLayoutEffect(() => {
    if (!isSignedIn) return undefined;
    const onKey = (event: KeyboardEvent) => {
      const isShortcut = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      if (!isShortcut || event.key.toLowerCase() !== "k") return;
      event.preventDefault();
      if (document.querySelector('[role="dialog"]') === null) openSearch();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [isSignedIn, openSearch]);
}

/** The dialogs that any screen can open: each is loaded when it is opened. */
export function AppDialogsProvider({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState<Open | null>(null);
  const show = useCallback((dialog: Open) => {
    // Code that could not be loaded earlier is requested again.
    renewParts();
    setOpen(dialog);
  }, []);
  const dialogs = useMemo<AppDialogs>(
    () => ({
      openDeposit: () => show({ name: "deposit" }),
      reopenDeposit: (deposit) => show({ name: "deposit", deposit }),
      openWithdraw: () => show({ name: "withdraw" }),
      openSearch: () => show({ name: "search" }),
      openFairness: (roundId) => show(roundId === undefined ? { name: "fairness" } : { name: "fairness", roundId }),
      openHotkeys: () => show({ name: "hotkeys" }),
    }),
    [show],
  );
  const explainRound = useCallback((roundId: number) => show({ name: "explanation", roundId }), [show]);
  useHotkeys([{ key: "?", label: "This list", run: dialogs.openHotkeys }]);
  useHeldHotkeys(open !== null);
  // Signing out closes the player's own dialogs, so that they are not open after the next sign-in.
  const isSignedIn = useUser() !== null;
  if (!isSignedIn && open !== null && PLAYERS_OWN.has(open.name)) setOpen(null);
  useSearchKey(dialogs.openSearch);
  const wasIdle = useWasIdle();
  function handleFailure(error: unknown) {
    renewParts();
    if (open === null) return;
    setOpen(null);
    const description =
      error instanceof PartNotLoadedError ? new ConnectionError(error).message : "Something went wrong";
    toast({ title: "Error", description, variant: "destructive" });
  }
  return (
    <DialogsContext value={dialogs}>
      <ExplainRoundContext value={explainRound}>
        {children}
        <ErrorBoundary key={open?.name ?? "none"} fallback={null} onError={handleFailure}>
          <Suspense>{(wasIdle || open !== null) && <OpenDialog open={open} onChange={setOpen} />}</Suspense>
        </ErrorBoundary>
      </ExplainRoundContext>
    </DialogsContext>
  );
}
