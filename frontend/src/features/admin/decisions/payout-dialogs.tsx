// What an administrator records about the payment of a withdrawal: sent, arrived, failed, returned.

import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { Field, Input } from "@/components";
import { currencyLabel } from "@/lib/currencies";
import { formatWire } from "@/lib/money";
import * as refusals from "@/lib/refusals";
import { type AdminWithdrawal, type PayoutRecord, recordPayout } from "../api/admin";
import { GroupedAddress } from "../lists/cells";
import { userOf } from "../withdrawals/wording";
import { DecisionDialog, Facts } from "./decision-dialog";
import { ReasonField, useReason } from "./reason-field";
import { useDecision, useIdempotentCall } from "./use-decision";

export type PayoutDialogProps = {
  request: AdminWithdrawal;
  onCancel(): void;
  onDone(request: AdminWithdrawal): void;
  onConflict(): void;
  onUnsure(): void;
};

const FAILED = "Failed to record it";
function useRecord(requestId: number) {
  const { isBusy, decide } = useDecision();
  const send = useIdempotentCall((record: PayoutRecord, key) => recordPayout(requestId, record, key));
  return {
    isBusy,
    record: (body: PayoutRecord, success: string, outcomes: Omit<PayoutDialogProps, "request" | "onCancel">) =>
      void decide(send(body), { success: () => success, fallback: FAILED, ...outcomes }),
  };
}

function PayoutFacts({ request }: { request: AdminWithdrawal }) {
  const { payout } = request;
  return (
    <Facts
      facts={[
        ["User", userOf(request)],
        ["Net amount", <strong key="net">{formatWire(request.netAmount)}</strong>],
        ["Currency", currencyLabel(request.currency || "usd")],
        ["Wallet", <GroupedAddress key="wallet" address={request.walletAddress} />],
        ...(payout?.transactionId
          ? [["Transaction", <GroupedAddress key="transaction" address={payout.transactionId} />] as const]
          : []),
        ...(payout?.problem ? [["Problem", payout.problem] as const] : []),
      ]}
    />
  );
}

const TRANSACTION_ID = /^[A-Za-z0-9]{10,128}$/;
const COINS = /^\d{1,20}(\.\d{1,18})?$/;
const text = (pattern: RegExp, message: string) => z.string().check(z.trim(), z.regex(pattern, message));
const schema = z.object({
  transactionId: text(TRANSACTION_ID, refusals.payoutTransactionId.text),
  coinAmount: text(COINS, refusals.payoutCoinAmount.text),
  networkFee: z.string().check(
    z.trim(),
    z.refine((typed) => typed === "" || COINS.test(typed), refusals.payoutNetworkFee.text),
  ),
});

const FIELDS = [
  { name: "transactionId", label: "Transaction ID", hint: "The ID in the network, which the player can look up." },
  { name: "coinAmount", label: "Amount sent", hint: "In the coin, as the player receives it." },
  { name: "networkFee", label: "Network fee", hint: "In the coin, if you know it. The house pays it." },
] as const;

export function SentDialog({ request, onCancel, ...outcomes }: PayoutDialogProps) {
  const { isBusy, record } = useRecord(request.id);
  const { register, handleSubmit, setFocus, formState } = useForm({
    resolver: standardSchemaResolver(schema),
    defaultValues: { transactionId: "", coinAmount: "", networkFee: "" },
    reValidateMode: "onSubmit",
  });
  const submit = handleSubmit((typed) => record({ action: "sent", ...typed }, "Recorded as sent", outcomes));
  return (
    <DecisionDialog
      title="Mark as Sent"
      description="Send the coins from your wallet first. The player sees the transaction."
      confirmLabel="Mark as Sent"
      initialFocus={() => setFocus("transactionId")}
      isBusy={isBusy}
      onCancel={onCancel}
      onConfirm={() => void submit()}
    >
      <PayoutFacts request={request} />
      {FIELDS.map(({ name, label, hint }) => (
        <Field key={name} label={label} hint={hint} error={formState.errors[name]?.message}>
          {(ids) => (
            <Input
              {...ids}
              {...register(name)}
              inputMode={name === "transactionId" ? "text" : "decimal"}
              maxLength={128}
              autoComplete="off"
              spellCheck={false}
            />
          )}
        </Field>
      ))}
    </DecisionDialog>
  );
}

const WORDS = {
  confirmed: {
    title: "Mark as Arrived",
    description: "Do this when the network has confirmed the transaction. It cannot be undone.",
    success: "Recorded as arrived",
  },
  returned: {
    title: "Return Amount",
    description: "Make sure that nothing was paid. The full amount goes back to the balance of the player.",
    success: "The amount was returned",
  },
} as const;

export function SimpleDialog({
  request,
  action,
  onCancel,
  ...outcomes
}: PayoutDialogProps & { action: keyof typeof WORDS }) {
  const { isBusy, record } = useRecord(request.id);
  const { title, description, success } = WORDS[action];
  return (
    <DecisionDialog
      title={title}
      description={description}
      confirmLabel={title}
      isBusy={isBusy}
      onCancel={onCancel}
      onConfirm={() => record({ action }, success, outcomes)}
    >
      <PayoutFacts request={request} />
    </DecisionDialog>
  );
}

export function FailedDialog({ request, onCancel, ...outcomes }: PayoutDialogProps) {
  const { isBusy, record } = useRecord(request.id);
  // The provider was told to pay, so it is only certain later that it has not.
  const isStop = typeof request.payout?.verifiedAt === "string";
  const reason = useReason(refusals.payoutReasonRequired.text, (given) =>
    record({ action: "failed", reason: given }, isStop ? "Recorded as stopped" : "Recorded as failed", outcomes),
  );
  return (
    <DecisionDialog
      title="Mark as Failed"
      description={
        isStop
          ? "The provider was told to pay this. It is not told again, and if it has still not paid in ten minutes, the payment fails and the amount can be returned."
          : "Nothing is paid from now on. The amount stays held until somebody returns it."
      }
      confirmLabel="Mark as Failed"
      isDestructive
      initialFocus={reason.focus}
      isBusy={isBusy}
      onCancel={onCancel}
      onConfirm={reason.submit}
    >
      <PayoutFacts request={request} />
      <ReasonField label="Reason" hint="It is kept in the audit log." {...reason.field} />
    </DecisionDialog>
  );
}
