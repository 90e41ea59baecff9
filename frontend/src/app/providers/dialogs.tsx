import { createContext, type ReactNode, Suspense, use, useMemo, useState } from "react";
import { ConnectionError } from "@/api/client";
import { useUser } from "@/api/session";
import { toast } from "@/components";
import type { OpenDeposit } from "@/features/wallet/api/wallet";
import { loadVerifiers } from "@/games/registry";
import { lazyPart, PartNotLoadedError, renewParts } from "@/lib/lazy-part";
import { PartBoundary } from "./part-boundary";

/** Includes the verifiers of all games, so that an open dialog works offline. */
const FairnessDialog = lazyPart(async () => {
  const [{ FairnessDialog: dialog }] = await Promise.all([import("@/features/fairness"), loadVerifiers()]);
  return { default: dialog };
});
const DepositDialog = lazyPart(() => import("@/features/wallet").then((module) => ({ default: module.DepositDialog })));
const WithdrawDialog = lazyPart(() =>
  import("@/features/wallet").then((module) => ({ default: module.WithdrawDialog })),
);

type Open = { name: "deposit"; deposit?: OpenDeposit } | { name: "withdraw" } | { name: "fairness"; roundId?: number };

export type AppDialogs = {
  openDeposit(): void;
  /** Opens the invoice of an earlier deposit. */
  reopenDeposit(deposit: OpenDeposit): void;
  openWithdraw(): void;
  openFairness(roundId?: number): void;
};

const DialogsContext = createContext<AppDialogs | null>(null);

export function useAppDialogs(): AppDialogs {
  const dialogs = use(DialogsContext);
  if (!dialogs) throw new Error("useAppDialogs needs an AppDialogsProvider");
  return dialogs;
}

/** The dialogs that any screen can open, loaded when the first one is opened. */
export function AppDialogsProvider({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState<Open | null>(null);
  const dialogs = useMemo<AppDialogs>(
    () => ({
      openDeposit: () => setOpen({ name: "deposit" }),
      reopenDeposit: (deposit) => setOpen({ name: "deposit", deposit }),
      openWithdraw: () => setOpen({ name: "withdraw" }),
      openFairness: (roundId) => setOpen(roundId === undefined ? { name: "fairness" } : { name: "fairness", roundId }),
    }),
    [],
  );
  // Signing out closes the wallet dialogs, so that they are not open after the next sign-in.
  const isSignedIn = useUser() !== null;
  if (!isSignedIn && (open?.name === "deposit" || open?.name === "withdraw")) setOpen(null);
  const onOpenChange = (isOpen: boolean) => !isOpen && setOpen(null);
  function handleFailure(error: unknown) {
    setOpen(null);
    renewParts();
    const description =
      error instanceof PartNotLoadedError ? new ConnectionError(error).message : "Something went wrong";
    toast({ title: "Error", description, variant: "destructive" });
  }
  return (
    <DialogsContext value={dialogs}>
      {children}
      <PartBoundary key={open?.name ?? "none"} onFailed={handleFailure}>
        <Suspense>
          {open?.name === "deposit" && <DepositDialog open onOpenChange={onOpenChange} deposit={open.deposit} />}
          {open?.name === "withdraw" && <WithdrawDialog open onOpenChange={onOpenChange} />}
          {open?.name === "fairness" && <FairnessDialog open onOpenChange={onOpenChange} roundId={open.roundId} />}
        </Suspense>
      </PartBoundary>
    </DialogsContext>
  );
}
