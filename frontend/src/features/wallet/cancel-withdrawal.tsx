import { useState } from "react";
import { errorMessage } from "@/api/client";
import { useSession } from "@/api/session";
import { Button, ConfirmDialog, toast } from "@/components";
import { centsOf, formatDollars } from "@/lib/money";
import { cancelWithdrawal, type Withdrawal } from "./api/wallet";
import { notifyWalletChanged } from "./api/wallet-lists";

/** Cancels a pending withdrawal, after asking. Repeating the call is safe, because it cancels once. */
export default function CancelWithdrawal({ withdrawal }: { withdrawal: Withdrawal }) {
  const { updateBalance, refresh } = useSession();
  const [isAsking, setAsking] = useState(false);
  const [isRunning, setRunning] = useState(false);
  const amount = formatDollars(centsOf(withdrawal.amount));
  async function cancel() {
    setAsking(false);
    setRunning(true);
    try {
      const { newBalance, availableToWithdraw } = await cancelWithdrawal(withdrawal.id);
      if (newBalance !== undefined && availableToWithdraw !== undefined)
        updateBalance({ newBalance, availableToWithdraw });
      toast({ title: "Withdrawal Cancelled", description: `${amount} is back in your balance.` });
    } catch (error) {
      const description = errorMessage(error, "Failed to cancel the withdrawal");
      toast({ title: "Error", description, variant: "destructive" });
    } finally {
      // Also after a failure: it may have been decided, or the response of a cancellation was lost.
      setRunning(false);
      void refresh();
      notifyWalletChanged();
    }
  }
  return (
    <>
      <Button
        size="small"
        loading={isRunning}
        onClick={() => setAsking(true)}
        aria-label={`Cancel the withdrawal of ${amount}`}
      >
        Cancel
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Cancel this withdrawal?"
        description={`The full ${amount} returns to your balance at once.`}
        confirmLabel="Cancel withdrawal"
        cancelLabel="Keep it"
        onConfirm={() => void cancel()}
      />
    </>
  );
}
