// The deposit dialog: amount and currency, then the invoice and its status.

import { useEffect, useId, useRef, useState } from "react";
import { useHouse } from "@/api/house";
import { useUser } from "@/api/session";
import { Button, ConfirmDialog, Dialog } from "@/components";
import { currencyLabel } from "@/lib/currencies";
import { centsOf, formatDollars } from "@/lib/money";
import type { OpenDeposit } from "./api/wallet";
import { DepositFields } from "./deposit-fields";
import { BUTTON_LABELS, isFinal } from "./deposit-stages";
import { InvoiceView } from "./invoice-view";
import { Excluded, LimitedUntil } from "./no-deposit";
import { DepositsStopped, depositStop } from "./stopped";
import { useDepositForm, useInvoice } from "./use-deposit";

type DepositDialogProps = {
  open: boolean;
  onOpenChange(open: boolean): void;
  /** An earlier deposit that still awaits its money. */
  deposit?: OpenDeposit | undefined;
};

/** Unmounted once closed, which clears the form and stops polling. */
export function DepositDialog({ open, ...props }: DepositDialogProps) {
  return open ? <OpenDepositDialog {...props} /> : null;
}

function OpenDepositDialog({ onOpenChange, deposit }: Omit<DepositDialogProps, "open">) {
  const [invoice, setInvoice] = useState<OpenDeposit | null>(deposit ?? null);
  const [isReopened, setReopened] = useState(deposit !== undefined);
  const { form, limitedUntil, onSubmit } = useDepositForm(setInvoice);
  const user = useUser();
  const excludedUntil = user?.excludedUntil;
  const stop = depositStop(useHouse(), user);
  const isPossible = excludedUntil === undefined && stop === null;
  const { stage, status, isAsking, setAsking, requestClose, closeNow } = useInvoice(invoice, isReopened, () =>
    onOpenChange(false),
  );
  const formId = useId();
  const payLink = useRef<HTMLAnchorElement>(null);
  function reopen(unpaid: OpenDeposit) {
    setReopened(true);
    setInvoice(unpaid);
  }
  const isCreated = invoice !== null && deposit === undefined;
  useEffect(() => {
    if (isCreated) payLink.current?.focus();
  }, [isCreated]);

  return (
    <>
      <Dialog
        open
        onOpenChange={requestClose}
        initialFocus={deposit ? payLink : () => form.setFocus("amount")}
        title={invoice ? "Complete your deposit" : "Deposit"}
        description={
          invoice
            ? `${formatDollars(centsOf(invoice.amount))} in ${currencyLabel(invoice.currency)}`
            : isPossible
              ? "Pay in the cryptocurrency of your choice."
              : undefined
        }
        footer={
          invoice ? (
            <Button className="w-full" variant={isFinal(stage) ? "primary" : "secondary"} onClick={requestClose}>
              {BUTTON_LABELS[stage]}
            </Button>
          ) : !isPossible ? (
            <Button className="w-full" onClick={requestClose}>
              Close
            </Button>
          ) : (
            <Button
              type="submit"
              form={formId}
              variant="primary"
              size="large"
              className="w-full"
              loading={form.formState.isSubmitting}
            >
              Create Invoice
            </Button>
          )
        }
      >
        {invoice ? (
          <InvoiceView deposit={invoice} stage={stage} status={status} payLink={payLink} />
        ) : stop !== null ? (
          <DepositsStopped stop={stop} onReopen={reopen} />
        ) : excludedUntil !== undefined ? (
          <Excluded until={excludedUntil} onReopen={reopen} onLeave={requestClose} />
        ) : (
          <DepositFields
            id={formId}
            form={form}
            limit={limitedUntil !== undefined && <LimitedUntil until={limitedUntil} onLeave={requestClose} />}
            onSubmit={onSubmit}
            onReopen={reopen}
          />
        )}
      </Dialog>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Stop waiting for this deposit?"
        description="A payment that you have already sent will still be credited to your balance. You can reopen this deposit from the list in your account while it is pending."
        cancelLabel="Close, keep the invoice"
        onCancel={closeNow}
        confirmLabel="Keep waiting"
        onConfirm={() => setAsking(false)}
      />
    </>
  );
}
