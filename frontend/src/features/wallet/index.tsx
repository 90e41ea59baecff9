import { useQuery } from "@/api/hooks";
import { Button, Dialog, ErrorState, Skeleton } from "@/components";

type WalletDialogProps = { open: boolean; onOpenChange(open: boolean): void };

function Currencies() {
  const { data, error, mutate } = useQuery("/api/cryptocurrencies");
  if (error) return <ErrorState title="Failed to load cryptocurrencies" onRetry={() => void mutate()} />;
  if (!data) return <Skeleton className="h-[120px]" />;
  return (
    <ul className="flex flex-wrap gap-2">
      {data.map(({ code, label }) => (
        <li key={code} className="rounded-chip bg-raised px-2 py-1 text-13">
          {label}
        </li>
      ))}
    </ul>
  );
}

/** Deposits are not open in this version: says so, and what will come. */
export function DepositDialog({ open, onOpenChange }: WalletDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Deposits open soon"
      description="This version of Glasshouse takes no deposits yet. Until then an administrator of this house can set your balance."
      footer={<Button onClick={() => onOpenChange(false)}>Close</Button>}
    >
      <div className="grid gap-4">
        <p className="text-14 text-ink-2">You will be able to deposit in these cryptocurrencies; the blockchain confirms a payment in 5-10 minutes.</p>
        <Currencies />
        <p className="text-13 text-ink-3">Deposited funds must be wagered before they can be withdrawn. Winnings need not be wagered.</p>
      </div>
    </Dialog>
  );
}

/** Withdrawals are not open in this version: says so, and by what rules they will be. */
export function WithdrawDialog({ open, onOpenChange }: WalletDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Withdrawals open soon"
      description="This version of Glasshouse takes no withdrawal requests yet. Your balance stays where it is."
      footer={<Button onClick={() => onOpenChange(false)}>Close</Button>}
    >
      <div className="grid gap-4">
        <ul className="grid list-disc gap-1.5 pl-5 text-14 text-ink-2">
          <li>1% processing fee on all withdrawals</li>
          <li>Manual processing takes 24-48 hours</li>
          <li>Only wagered funds can be withdrawn</li>
          <li>Minimum $20.00</li>
        </ul>
        <Currencies />
      </div>
    </Dialog>
  );
}
