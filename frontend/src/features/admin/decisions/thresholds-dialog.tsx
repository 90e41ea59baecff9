// Proposes new approval thresholds to another owner.

import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { Field, Input } from "@/components";
import { formatWire, parseCents, wireAmount } from "@/lib/money";
import { type ApprovalOverview, type Proposal, proposeThresholds } from "../api/admin";
import { THRESHOLDS } from "../approvals/wording";
import { DecisionDialog } from "./decision-dialog";
import { ReasonField } from "./reason-field";
import { REASON_REQUIRED } from "./rules";
import { showProposalRefusal } from "./second-person";
import { useDecision, useIdempotentCall } from "./use-decision";

const AMOUNT_INVALID = "Please enter an amount of at least $0.00";
const amount = z.string().check(z.refine((text) => parseCents(text) !== null, AMOUNT_INVALID));
const schema = z.object({
  adjustment: amount,
  confirmation: amount,
  withdrawal: amount,
  personPerDay: amount,
  housePerDay: amount,
  automaticWithdrawal: amount,
  reason: z.string().check(z.trim(), z.minLength(1, REASON_REQUIRED)),
});

const wire = (text: string): string => wireAmount(parseCents(text) ?? 0);

type ThresholdsDialogProps = {
  thresholds: ApprovalOverview["thresholds"];
  onCancel(): void;
  onDone(proposal: Proposal): void;
  onConflict(): void;
  onUnsure(): void;
};

export function ThresholdsDialog({ thresholds, onCancel, ...outcomes }: ThresholdsDialogProps) {
  const { register, handleSubmit, setFocus, formState } = useForm({
    resolver: standardSchemaResolver(schema),
    defaultValues: { ...thresholds, reason: "" },
    reValidateMode: "onSubmit",
  });
  const { isBusy, decide } = useDecision();
  const send = useIdempotentCall(proposeThresholds);
  const { errors } = formState;
  // In the order in which the first invalid one gets the focus.
  const fields = {
    adjustment: register("adjustment"),
    confirmation: register("confirmation"),
    withdrawal: register("withdrawal"),
    personPerDay: register("personPerDay"),
    housePerDay: register("housePerDay"),
    automaticWithdrawal: register("automaticWithdrawal"),
    reason: register("reason"),
  };
  const submit = handleSubmit(({ reason, ...typed }) => {
    const body = {
      adjustment: wire(typed.adjustment),
      confirmation: wire(typed.confirmation),
      withdrawal: wire(typed.withdrawal),
      personPerDay: wire(typed.personPerDay),
      housePerDay: wire(typed.housePerDay),
      automaticWithdrawal: wire(typed.automaticWithdrawal),
      reason,
    };
    void decide(send(body), {
      success: () => "Proposed. Another owner must approve it.",
      fallback: "Failed to propose the thresholds",
      ...outcomes,
      onRefused: showProposalRefusal,
    });
  });
  return (
    <DecisionDialog
      title="Change Thresholds"
      description="What exceeds one of them needs a second person. Another owner must approve the change."
      confirmLabel="Propose"
      initialFocus={() => setFocus("adjustment")}
      isBusy={isBusy}
      onCancel={onCancel}
      onConfirm={() => void submit()}
    >
      {THRESHOLDS.map(({ name, label }) => (
        <Field
          key={name}
          label={`${label} ($)`}
          hint={`Now ${formatWire(thresholds[name])}`}
          error={errors[name]?.message}
        >
          {(ids) => <Input {...ids} {...fields[name]} inputMode="decimal" maxLength={20} autoComplete="off" />}
        </Field>
      ))}
      <ReasonField label="Reason" input={fields.reason} error={errors.reason?.message} />
    </DecisionDialog>
  );
}
