// Crediting a payment manually: first the user and the amount, then a review, then it is done.

import { type ComponentProps, useState } from "react";
import { useForm, type UseFormReturn } from "react-hook-form";
import { errorMessage } from "@/api/client";
import { useUser } from "@/api/session";
import { Field, Input } from "@/components";
import { centsOf, formatDollars, wireAmount } from "@/lib/money";
import * as refusals from "@/lib/refusals";
import {
  type AdminUser,
  confirmPayment,
  fetchUser,
  type Outcome,
  type PaymentConfirmed,
  type PaymentIdType,
} from "../api/admin";
import { Change } from "../lists/cells";
import { DecisionDialog, Facts } from "./decision-dialog";
import { type Confirmable, type ConfirmForm, readConfirmForm } from "./rules";
import { outcomeMessages, SecondPersonNotice, useSecondPerson } from "./second-person";
import { showError, useDecision, useIdempotentCall } from "./use-decision";

/** A payment and its owner, if known. */
export type PaymentRef = { id: string; idType: PaymentIdType; userId: number | null };
/** `restCents` is what is left of a partially credited payment. */
export type PaymentWithRest = PaymentRef & { restCents: number | null };
/** Without an outcome, somebody else was faster. */
type OnSettled = (outcome?: Outcome<PaymentConfirmed>) => void;
type ConfirmPaymentDialogProps = { payment: PaymentWithRest; onCancel(): void; onSettled: OnSettled };
type Checked = Confirmable & { user: AdminUser };
type Step = Omit<ComponentProps<typeof DecisionDialog>, "title">;

function defaultsFor({ userId, restCents }: PaymentWithRest): ConfirmForm {
  return {
    userId: userId === null ? "" : String(userId),
    amount: wireAmount(restCents ?? 0),
    currency: "USDT",
    reason: "",
  };
}

/** One dialog with two steps, so that closing it returns the focus to the button that opened it. */
export function ConfirmPaymentDialog({ payment, onCancel, onSettled }: ConfirmPaymentDialogProps) {
  const [checked, setChecked] = useState<Checked | null>(null);
  const input = useInputStep({ payment, onCancel, onChecked: setChecked });
  const review = useReviewStep({ payment, checked, onBack: () => setChecked(null), onClose: onCancel, onSettled });
  return <DecisionDialog title="Manually Confirm Payment" {...(review ?? input)} />;
}

type InputStepProps = {
  payment: PaymentWithRest;
  onCancel(): void;
  onChecked(checked: Checked): void;
};

function useInputStep({ payment, onCancel, onChecked }: InputStepProps): Step {
  const me = useUser();
  const form = useForm<ConfirmForm>({ defaultValues: defaultsFor(payment) });
  function refuse(field: keyof ConfirmForm, text: string) {
    showError(text);
    form.setError(field, { message: text }, { shouldFocus: true });
  }
  async function check(values: ConfirmForm) {
    const read = readConfirmForm(values, payment.restCents);
    if ("field" in read) return refuse(read.field, read.text);
    if (read.userId === me?.id) return refuse("userId", refusals.ownPayment.text);
    try {
      const user = await fetchUser(read.userId);
      if (user === null) return refuse("userId", `There is no user with the ID ${read.userId}`);
      return onChecked({ ...read, user });
    } catch (error) {
      return showError(errorMessage(error, "Failed to confirm payment"));
    }
  }
  return {
    description: `Payment ${payment.id} will be credited by hand. You can check the numbers before anything is credited.`,
    confirmLabel: "Continue",
    // The first field that is still empty.
    initialFocus: () => form.setFocus(payment.userId === null ? "userId" : "amount"),
    isBusy: form.formState.isSubmitting,
    onCancel,
    onConfirm: () => void form.handleSubmit(check)(),
    children: <Inputs form={form} restCents={payment.restCents} />,
  };
}

const FIELDS = [
  { name: "userId", label: "User ID", hint: "The user whose balance is credited.", inputMode: "numeric" },
  { name: "amount", label: "Amount ($)", hint: "The value of the payment in dollars.", inputMode: "decimal" },
  { name: "currency", label: "Currency", hint: "The currency it was paid in, for the record.", inputMode: "text" },
  { name: "reason", label: "Reason", hint: "It is kept in the audit log.", inputMode: "text" },
] as const;

function Inputs({ form, restCents }: { form: UseFormReturn<ConfirmForm>; restCents: number | null }) {
  const { errors } = form.formState;
  const restHint =
    restCents === null
      ? null
      : `At most ${formatDollars(restCents)} is left to credit. Confirming resolves the review, even for less.`;
  return FIELDS.map(({ name, label, hint, inputMode }) => (
    <Field
      key={name}
      label={label}
      hint={name === "amount" && restHint !== null ? restHint : hint}
      error={errors[name]?.message}
      isQuiet
    >
      {(ids) => (
        <Input
          {...form.register(name)}
          {...ids}
          inputMode={inputMode}
          maxLength={name === "reason" ? 500 : 20}
          autoComplete="off"
          onFocus={(event) => name === "amount" && event.target.select()}
        />
      )}
    </Field>
  ));
}

type ReviewStepProps = {
  payment: PaymentWithRest;
  checked: Checked | null;
  onBack(): void;
  onClose(): void;
  onSettled: OnSettled;
};

function useReviewStep({ payment, checked, onBack, onClose, onSettled }: ReviewStepProps): Step | null {
  const { isBusy, decide } = useDecision();
  const send = useIdempotentCall(confirmPayment);
  const second = useSecondPerson(`${checked?.user.id} ${checked?.amountCents}`);
  if (checked === null) return null;
  const { user, amountCents, currency, reason } = checked;
  function confirm() {
    const body = {
      invoiceId: payment.id,
      idType: payment.idType,
      userId: user.id,
      amount: wireAmount(amountCents),
      currency,
      reason,
      ...second.propose,
    };
    const messages = outcomeMessages<PaymentConfirmed>({
      success: `Payment ${payment.id} has been manually confirmed`,
      fallback: "Failed to confirm payment",
      onDone: (done) => onSettled({ done }),
      onProposed: (proposal) => onSettled({ proposal }),
      onConflict: () => onSettled(),
      onRefused: second.onRefused,
    });
    void decide(send(body), messages);
  }
  return {
    description: "This credits the player at once and cannot be undone.",
    confirmLabel: second.cause === null ? `Credit ${formatDollars(amountCents)}` : "Propose",
    cancelLabel: "Back",
    step: `review ${second.cause}`,
    isBusy,
    onCancel: onBack,
    onClose,
    onConfirm: confirm,
    children: (
      <>
        <ReviewFacts payment={payment} checked={checked} />
        <SecondPersonNotice cause={second.cause} />
      </>
    ),
  };
}

function ReviewFacts({
  payment,
  checked: { user, amountCents, currency, reason },
}: {
  payment: PaymentWithRest;
  checked: Checked;
}) {
  const balanceCents = centsOf(user.balance);
  return (
    <Facts
      facts={[
        [
          "Payment",
          <span key="payment" className="break-all">
            {payment.id}
          </span>,
        ],
        ["User", `${user.username} #${user.id}${user.status === "banned" ? " (banned)" : ""}`],
        ["Amount", <strong key="amount">{formatDollars(amountCents)}</strong>],
        ["Paid in", currency],
        ["Reason", reason],
        ["Balance", <Change key="balance" fromCents={balanceCents} toCents={balanceCents + amountCents} />],
        ["To be wagered", `${formatDollars(amountCents)} more`],
      ]}
    />
  );
}
