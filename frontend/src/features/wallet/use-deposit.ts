// A deposit from its form to its end: creates the invoice once, reports each stage once, and closes.

import { useEffect, useRef, useState } from "react";
import { byCode, type ErrorCode, errorMessage } from "@/api/client";
import { useSession } from "@/api/session";
import { toast } from "@/components";
import { centsOf, parseCents, wireAmount } from "@/lib/money";
import { reloadPage } from "@/lib/reload";
import { createDeposit, type DepositStatus, isOpen, type OpenDeposit } from "./api/wallet";
import { notifyWalletChanged } from "./api/wallet-lists";
import { type DepositForm, type DepositRefusal, refusalOf } from "./deposit-rules";
import { asksBeforeClosing, type DepositStage, toastOf } from "./deposit-stages";
import { useDepositStatus } from "./use-deposit-status";

/** How long a completed deposit is shown. */
export const AUTO_CLOSE_MS = 2000;

/** The field that a refusal by the server is about. */
const FIELDS: Partial<Record<ErrorCode, keyof DepositForm>> = {
  invalid_amount: "amount",
  below_minimum: "amount",
  above_maximum: "amount",
  deposit_refused: "amount",
  invalid_currency: "currency",
  coin_not_taken: "currency",
};

export type DepositCreation = {
  isCreating: boolean;
  refusal: DepositRefusal | null;
  setRefusal(refusal: DepositRefusal | null): void;
  create(form: DepositForm): Promise<void>;
};

/** Creates the invoice, one at a time even on repeated clicks. */
export function useDepositCreation(onCreated: (deposit: OpenDeposit) => void): DepositCreation {
  const [isCreating, setCreating] = useState(false);
  const [refusal, setRefusal] = useState<DepositRefusal | null>(null);
  const isBusy = useRef(false);
  async function create(form: DepositForm) {
    if (isBusy.current) return;
    const broken = refusalOf(form);
    setRefusal(broken);
    if (broken) return void toast({ title: broken.title, description: broken.text, variant: "destructive" });
    if (form.currency === "") return;
    isBusy.current = true;
    setCreating(true);
    try {
      const { deposit, invoiceUrl } = await createDeposit({
        amount: wireAmount(parseCents(form.amount) ?? 0),
        cryptoCurrency: form.currency,
      });
      const made = { ...deposit, invoiceUrl };
      if (!isOpen(made)) throw new Error("a deposit without an invoice");
      toast({ title: "Invoice Created", description: "Pay it on the payment page." });
      onCreated(made);
    } catch (error) {
      const text = errorMessage(error, "Failed to create payment invoice");
      const field = byCode(FIELDS, error);
      if (field !== undefined) setRefusal({ field, title: "Error", text });
      toast({ title: "Error", description: text, variant: "destructive" });
    } finally {
      isBusy.current = false;
      setCreating(false);
      notifyWalletChanged();
    }
  }
  return { isCreating, refusal, setRefusal, create };
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
