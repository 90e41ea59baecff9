import { createContext, lazy, type ReactNode, Suspense, use, useMemo, useState } from "react";

const FairnessDialog = lazy(() => import("@/features/fairness").then((module) => ({ default: module.FairnessDialog })));
const DepositDialog = lazy(() => import("@/features/wallet").then((module) => ({ default: module.DepositDialog })));
const WithdrawDialog = lazy(() => import("@/features/wallet").then((module) => ({ default: module.WithdrawDialog })));

type Open = { name: "deposit" | "withdraw" } | { name: "fairness"; roundId?: number };

export type AppDialogs = {
  openDeposit(): void;
  openWithdraw(): void;
  openFairness(roundId?: number): void;
};

const DialogsContext = createContext<AppDialogs | null>(null);

export function useAppDialogs(): AppDialogs {
  const dialogs = use(DialogsContext);
  if (!dialogs) throw new Error("useAppDialogs needs an AppDialogsProvider");
  return dialogs;
}

/** The dialogs that any screen can open, loaded when the first of them is. */
export function AppDialogsProvider({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState<Open | null>(null);
  const dialogs = useMemo<AppDialogs>(
    () => ({
      openDeposit: () => setOpen({ name: "deposit" }),
      openWithdraw: () => setOpen({ name: "withdraw" }),
      openFairness: (roundId) => setOpen(roundId === undefined ? { name: "fairness" } : { name: "fairness", roundId }),
    }),
    [],
  );
  const onOpenChange = (isOpen: boolean) => !isOpen && setOpen(null);
  return (
    <DialogsContext value={dialogs}>
      {children}
      <Suspense>
        {open?.name === "deposit" && <DepositDialog open onOpenChange={onOpenChange} />}
        {open?.name === "withdraw" && <WithdrawDialog open onOpenChange={onOpenChange} />}
        {open?.name === "fairness" && <FairnessDialog open onOpenChange={onOpenChange} roundId={open.roundId} />}
      </Suspense>
    </DialogsContext>
  );
}
