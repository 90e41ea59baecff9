// A withdrawal from its form to its request: validated in the server's order, and sent once.

import { useForm } from "react-hook-form";
import { byCode, type ErrorCode, errorMessage } from "@/api/client";
import { useSession } from "@/api/session";
import { StepUpCancelled } from "@/api/step-up";
import { toast } from "@/components";
import { centsOf, parseCents, wireAmount } from "@/lib/money";
import { useSingleSubmit } from "@/lib/use-single-submit";
import { createWithdrawal } from "./api/wallet";
import { notifyWalletChanged } from "./api/wallet-lists";
import { reportProblem } from "./report-problem";
import { type Funds, refusalOf, type WithdrawForm } from "./withdraw-rules";

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

/** The withdraw form, which sends one request even on repeated clicks. */
export function useWithdrawForm(onRequested: () => void) {
  const { user, updateBalance, refresh } = useSession();
  const form = useForm<WithdrawForm>({ defaultValues: { amount: "", currency: "btc", walletAddress: "" } });
  const funds: Funds = {
    balanceCents: centsOf(user?.balance ?? "0.00"),
    availableCents: centsOf(user?.availableToWithdraw ?? "0.00"),
  };

  async function request(values: WithdrawForm) {
    const refusal = refusalOf(values, funds);
    if (refusal) return reportProblem(form.setError, refusal);
    if (values.currency === "") return;
    try {
      const { newBalance, availableToWithdraw } = await createWithdrawal({
        amount: wireAmount(parseCents(values.amount) ?? 0),
        currency: values.currency,
        walletAddress: values.walletAddress.trim(),
      });
      if (newBalance !== undefined && availableToWithdraw !== undefined)
        updateBalance({ newBalance, availableToWithdraw });
      toast({
        title: "Withdrawal Requested",
        description: "Your withdrawal request has been submitted for processing.",
      });
      onRequested();
    } catch (error) {
      if (error instanceof StepUpCancelled) return;
      const text = errorMessage(error, "Failed to create withdrawal request");
      reportProblem(form.setError, { field: byCode(FIELDS, error), title: "Error", text });
    } finally {
      // Also after a failure: a request with a lost response may have been accepted.
      void refresh();
      notifyWalletChanged();
    }
  }
  return { form, funds, onSubmit: useSingleSubmit(form.handleSubmit(request)) };
}
