// Crediting a payment manually: first the user and the amount, then a review, then it is done.

import { type ComponentProps, type RefObject, useRef, useState } from "react";
import { errorMessage } from "@/api/client";
import { IdempotentSender } from "@/api/idempotent-sender";
import { useUser } from "@/api/session";
import { Field, Input } from "@/components";
import { centsOf, formatDollars, wireAmount } from "@/lib/money";
import * as refusals from "@/lib/refusals";
import { type AdminUser, confirmPayment, fetchUser, type PaymentIdType } from "../api/admin";
import { Change } from "../lists/cells";
import { DecisionDialog, Facts } from "./decision-dialog";
import { type Confirmable, type ConfirmForm, readConfirmForm } from "./rules";
import type { StepUp } from "./step-up";
import { showError, useDecision } from "./use-decision";

/** A payment and its owner, if known. */
export type PaymentRef = { id: string; idType: PaymentIdType; userId: number | null };
/** `restCents` is what is left of a partially credited payment. */
export type PaymentWithRest = PaymentRef & { restCents: number | null };
type ConfirmPaymentDialogProps = { payment: PaymentWithRest; onCancel(): void; onSettled(): void };
type Checked = Confirmable & { user: AdminUser };
type Step = Omit<ComponentProps<typeof DecisionDialog>, "title">;

function formFor({ userId, restCents }: PaymentWithRest): ConfirmForm {
  return { userId: userId === null ? "" : String(userId), amount: wireAmount(restCents ?? 0), currency: "USDT" };
}

/** One dialog with two steps, so that closing it returns the focus to the button that opened it. */
export function ConfirmPaymentDialog({ payment, onCancel, onSettled }: ConfirmPaymentDialogProps) {
  const [form, setForm] = useState(() => formFor(payment));
  const [checked, setChecked] = useState<Checked | null>(null);
  const input = useInputStep({ payment, form, onChange: setForm, onCancel, onChecked: setChecked });
  const review = useReviewStep({ payment, checked, onBack: () => setChecked(null), onClose: onCancel, onSettled });
  return <DecisionDialog title="Manually Confirm Payment" {...(review ?? input)} />;
}

type InputStepProps = {
  payment: PaymentWithRest;
  form: ConfirmForm;
  onChange(form: ConfirmForm): void;
  onCancel(): void;
  onChecked(checked: Checked): void;
};

function useInputStep({ payment, form, onChange, onCancel, onChecked }: InputStepProps): Step {
  const me = useUser();
  const [refused, setRefused] = useState<keyof ConfirmForm | null>(null);
  const [isBusy, setBusy] = useState(false);
  const userId = useRef<HTMLInputElement>(null);
  const amount = useRef<HTMLInputElement>(null);
  const currency = useRef<HTMLInputElement>(null);
  const inputs = { userId, amount, currency };
  function refuse(field: keyof ConfirmForm, text: string) {
    setRefused(field);
    showError(text);
    inputs[field].current?.focus();
  }
  async function check() {
    const read = readConfirmForm(form, payment.restCents);
    if ("field" in read) return refuse(read.field, read.text);
    if (read.userId === me?.id) return refuse("userId", refusals.ownPayment.text);
    setRefused(null);
    setBusy(true);
    try {
      const user = await fetchUser(read.userId);
      if (user === null) return refuse("userId", `There is no user with the ID ${read.userId}`);
      return onChecked({ ...read, user });
    } catch (error) {
      return showError(errorMessage(error, "Failed to confirm payment"));
    } finally {
      setBusy(false);
    }
  }
  return {
    description: `Payment ${payment.id} will be credited by hand. You can check the numbers before anything is credited.`,
    confirmLabel: "Continue",
    // The first field that is still empty.
    initialFocus: payment.userId === null ? userId : amount,
    isBusy,
    onCancel,
    onConfirm: () => void check(),
    children: (
      <Inputs form={form} onChange={onChange} inputs={inputs} refused={refused} restCents={payment.restCents} />
    ),
  };
}

const FIELDS = [
  { name: "userId", label: "User ID", hint: "The user whose balance is credited.", inputMode: "numeric" },
  { name: "amount", label: "Amount ($)", hint: "The value of the payment in dollars.", inputMode: "decimal" },
  { name: "currency", label: "Currency", hint: "The currency it was paid in, for the record.", inputMode: "text" },
] as const;
type InputsProps = Pick<InputStepProps, "form" | "onChange"> & {
  inputs: Record<keyof ConfirmForm, RefObject<HTMLInputElement | null>>;
  refused: keyof ConfirmForm | null;
  restCents: number | null;
};

function Inputs({ form, onChange, inputs, refused, restCents }: InputsProps) {
  const restHint =
    restCents === null
      ? null
      : `At most ${formatDollars(restCents)} is left to credit. Confirming resolves the review, even for less.`;
  return FIELDS.map(({ name, label, hint, inputMode }) => (
    <Field key={name} label={label} hint={name === "amount" && restHint !== null ? restHint : hint}>
      {(ids) => (
        <Input
          {...ids}
          ref={inputs[name]}
          aria-invalid={refused === name || undefined}
          inputMode={inputMode}
          maxLength={20}
          autoComplete="off"
          value={form[name]}
          onFocus={(event) => name === "amount" && event.target.select()}
          onChange={(event) => onChange({ ...form, [name]: event.target.value })}
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
  onSettled(): void;
};

function useReviewStep({ payment, checked, onBack, onClose, onSettled }: ReviewStepProps): Step | null {
  const [sender] = useState(() => new IdempotentSender());
  const { isBusy, decide } = useDecision();
  if (checked === null) return null;
  const { user, amountCents, currency } = checked;
  function confirm() {
    const body = {
      invoiceId: payment.id,
      idType: payment.idType,
      userId: user.id,
      amount: wireAmount(amountCents),
      currency,
    };
    const send = (stepUp: StepUp) => sender.send(body, (sent, key) => stepUp(() => confirmPayment(sent, key)));
    void decide(async (stepUp) => (await send(stepUp)).answer, {
      success: ({ payment_id: id }) => `Payment ${id} has been manually confirmed`,
      fallback: "Failed to confirm payment",
      onDone: onSettled,
      onConflict: onSettled,
    });
  }
  return {
    description: "This credits the player at once and cannot be undone.",
    confirmLabel: `Credit ${formatDollars(amountCents)}`,
    cancelLabel: "Back",
    step: "review",
    isBusy,
    onCancel: onBack,
    onClose,
    onConfirm: confirm,
    children: <ReviewFacts payment={payment} checked={checked} />,
  };
}

function ReviewFacts({
  payment,
  checked: { user, amountCents, currency },
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
        ["Balance", <Change key="balance" fromCents={balanceCents} toCents={balanceCents + amountCents} />],
        ["To be wagered", `${formatDollars(amountCents)} more`],
      ]}
    />
  );
}
