// A deposit from its form to its end: creates the invoice once, reports each stage once, and closes.

import { useEffect, useRef, useState } from "react";
import { useForm } from "react-hook-form";
import { ApiError, byCode, type ErrorCode, errorCode, errorMessage } from "@/api/client";
import { useSession } from "@/api/session";
import { toast } from "@/components";
import { centsOf, parseCents, wireAmount } from "@/lib/money";
import { reloadPage } from "@/lib/reload";
import { useSingleSubmit } from "@/lib/use-single-submit";
import { createDeposit, type DepositStatus, isOpen, type OpenDeposit } from "./api/wallet";
import { notifyWalletChanged } from "./api/wallet-lists";
import { type DepositForm, refusalOf } from "./deposit-rules";
import { asksBeforeClosing, type DepositStage, toastOf } from "./deposit-stages";
import { reportProblem } from "./report-problem";
import { useDepositStatus } from "./use-deposit-status";

/** How long a completed deposit is shown. */
export const AUTO_CLOSE_MS = 2000;

/** The field that a refusal by the server is about. */
const FIELDS: Partial<Record<ErrorCode, keyof DepositForm>> = {
  invalid_amount: "amount",
  below_minimum: "amount",
  above_maximum: "amount",
  deposit_refused: "amount",
  deposit_limit_reached: "amount",
  invalid_currency: "currency",
  coin_not_taken: "currency",
};

/** The deposit form, which creates one invoice even on repeated clicks. */
export function useDepositForm(onCreated: (deposit: OpenDeposit) => void) {
  const { refresh } = useSession();
  /** From when the player's own limit allows the refused deposit. */
  const [limitedUntil, setLimitedUntil] = useState<string>();
  const form = useForm<DepositForm>({ defaultValues: { amount: "", currency: "usdtsol" } });
  async function create(values: DepositForm) {
    const refusal = refusalOf(values);
    if (refusal) return reportProblem(form.setError, refusal);
    if (values.currency === "") return;
    setLimitedUntil(undefined);
    try {
      const { deposit, invoiceUrl } = await createDeposit({
        amount: wireAmount(parseCents(values.amount) ?? 0),
        cryptoCurrency: values.currency,
      });
      const created = { ...deposit, invoiceUrl };
      if (!isOpen(created)) throw new Error("a deposit without an invoice");
      toast({ title: "Invoice Created", description: "Pay it on the payment page." });
      onCreated(created);
    } catch (error) {
      const text = errorMessage(error, "Failed to create payment invoice");
      const code = errorCode(error);
      if (code === "deposit_limit_reached" && error instanceof ApiError) setLimitedUntil(error.body?.until);
      // It was asked for on another device: the dialog says so once it is known.
      if (code === "excluded") void refresh();
      reportProblem(form.setError, { field: byCode(FIELDS, error), title: "Error", text });
    } finally {
      notifyWalletChanged();
    }
  }
  return { form, limitedUntil, onSubmit: useSingleSubmit(form.handleSubmit(create)) };
}

/** Waits for the payment of an invoice. */
export function useInvoice(deposit: OpenDeposit | null, isReopened: boolean, close: () => void) {
  const { refresh } = useSession();
  const [isAsking, setAsking] = useState(false);
  function onEnter(stage: DepositStage, status: DepositStatus) {
    const content = toastOf(stage, status);
    if (content) toast(content);
    notifyWalletChanged();
    // The payment has answered the question whether to keep waiting.
    if (!asksBeforeClosing(stage)) setAsking(false);
  }
  const { stage, status } = useDepositStatus({ invoiceId: deposit?.invoiceId ?? null, isReopened, onEnter });
  const isCompleted = stage === "completed";

  // The session provides a new function when the balance changes, which must not restart polling.
  const refreshUser = useRef(refresh);
  useEffect(() => {
    refreshUser.current = refresh;
  });
  const creditedAmount = status?.creditedAmount;
  useEffect(() => {
    const isCredited = creditedAmount !== undefined && centsOf(creditedAmount) > 0;
    if (!isCredited && !isCompleted) return;
    void refreshUser.current();
    notifyWalletChanged();
  }, [creditedAmount, isCompleted]);

  function closeNow() {
    close();
    if (isCompleted) reloadPage();
  }
  const end = useRef(closeNow);
  useEffect(() => {
    end.current = closeNow;
  });
  useEffect(() => {
    if (!isCompleted) return undefined;
    const timer = setTimeout(() => end.current(), AUTO_CLOSE_MS);
    return () => clearTimeout(timer);
  }, [isCompleted]);

  /** Called for every way of closing the dialog. */
  function requestClose() {
    if (deposit !== null && asksBeforeClosing(stage)) setAsking(true);
    else closeNow();
  }
  return { stage, status, isAsking, setAsking, requestClose, closeNow };
}
