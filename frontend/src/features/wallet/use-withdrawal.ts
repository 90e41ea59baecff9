// A withdrawal from its form to its request: validated in the server's order, and sent once.

import { useRef, useState } from "react";
import { byCode, type ErrorCode, errorMessage } from "@/api/client";
import { useSession } from "@/api/session";
import { toast } from "@/components";
import { centsOf, parseCents, wireAmount } from "@/lib/money";
import { createWithdrawal } from "./api/wallet";
import { notifyWalletChanged } from "./api/wallet-lists";
import { type Funds, refusalOf, type WithdrawForm, type WithdrawRefusal } from "./withdraw-rules";

/** The field that a refusal by the server is about. */
const FIELDS: Partial<Record<ErrorCode, keyof WithdrawForm>> = {
  invalid_amount: "amount",
  below_minimum: "amount",
  above_maximum: "amount",
  insufficient_balance: "amount",
  withdrawal_limit: "amount",
  invalid_currency: "currency",
  invalid_address: "walletAddress",
};

export type Mark = Pick<WithdrawRefusal, "field" | "text">;

export function useWithdrawal(onRequested: () => void) {
  const { user, updateBalance, refresh } = useSession();
  const [isSending, setSending] = useState(false);
  const [mark, setMark] = useState<Mark | null>(null);
  const isBusy = useRef(false);
  const funds: Funds = {
    balanceCents: centsOf(user?.balance ?? "0.00"),
    availableCents: centsOf(user?.availableToWithdraw ?? "0.00"),
  };

  async function request(form: WithdrawForm) {
    if (isBusy.current) return;
    const refusal = refusalOf(form, funds);
    setMark(refusal);
    if (refusal) return void toast({ title: refusal.title, description: refusal.text, variant: "destructive" });
    if (form.currency === "") return;
    isBusy.current = true;
    setSending(true);
    try {
      const { newBalance, availableToWithdraw } = await createWithdrawal({
        amount: wireAmount(parseCents(form.amount) ?? 0),
        currency: form.currency,
        walletAddress: form.walletAddress.trim(),
      });
      if (newBalance !== undefined && availableToWithdraw !== undefined)
        updateBalance({ newBalance, availableToWithdraw });
      toast({
        title: "Withdrawal Requested",
        description: "Your withdrawal request has been submitted for processing.",
      });
      onRequested();
    } catch (error) {
      const message = errorMessage(error, "Failed to create withdrawal request");
      const field = byCode(FIELDS, error);
      if (field !== undefined) setMark({ field, text: message });
      toast({ title: "Error", description: message, variant: "destructive" });
    } finally {
      isBusy.current = false;
      setSending(false);
      // Also after a failure: a request with a lost response may have been accepted.
      void refresh();
      notifyWalletChanged();
    }
  }
  return { funds, isSending, mark, clearMark: () => setMark(null), request };
}
