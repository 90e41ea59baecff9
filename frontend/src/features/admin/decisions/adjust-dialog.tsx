// Sets a balance. The current one is fetched first, because its owner may be playing.

import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useEffect, useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import * as z from "zod/mini";
import { errorCode } from "@/api/client";
import { Field, Input } from "@/components";
import { centsOf, formatDollars, parseCents, wireAmount } from "@/lib/money";
import { type AdminUser, type BalanceDecision, fetchUser, setBalance } from "../api/admin";
import { Change } from "../lists/cells";
import { signedDollars } from "../lists/wording";
import { DecisionDialog, Facts } from "./decision-dialog";
import { ReasonField } from "./reason-field";
import { BALANCE_INVALID, REASON_REQUIRED } from "./rules";
import { outcomeMessages, SecondPersonNotice, useSecondPerson } from "./second-person";
import { showError, useDecision, useIdempotentCall } from "./use-decision";

const schema = z.object({
  balance: z.string().check(z.refine((text) => parseCents(text) !== null, BALANCE_INVALID)),
  reason: z.string().check(z.trim(), z.minLength(1, REASON_REQUIRED)),
});

type AdjustDialogProps = {
  user: AdminUser;
  onCancel(): void;
  onDone(user: AdminUser): void;
  onProposed(): void;
  onConflict(): void;
  /** The user's data differs from the list. */
  onSeen(user: AdminUser): void;
};

function confirmLabel(cents: number | null, isProposal: boolean): string {
  if (isProposal) return "Propose";
  return cents === null ? "Set Balance" : `Set to ${formatDollars(cents)}`;
}

/** The user's current data, if it can be loaded. */
async function userNow(userId: number): Promise<AdminUser | null> {
  try {
    return await fetchUser(userId);
  } catch {
    // The request carries the balance that was shown; the server refuses if it has changed.
    return null;
  }
}

export function AdjustDialog({ user: listed, onCancel, onConflict, onSeen, ...outcomes }: AdjustDialogProps) {
  const [user, setUser] = useState(listed);
  useEffect(() => {
    void userNow(listed.id).then((now) => now && setUser(now));
  }, [listed.id]);
  const { register, control, handleSubmit, setFocus, formState } = useForm({
    resolver: standardSchemaResolver(schema),
    defaultValues: { balance: "", reason: "" },
    reValidateMode: "onSubmit",
  });
  const { isBusy, decide } = useDecision();
  const send = useIdempotentCall((decision: BalanceDecision, key) => setBalance(listed.id, decision, key));
  const cents = parseCents(useWatch({ control, name: "balance" }));
  const balanceCents = centsOf(user.balance);
  // In the order in which the first invalid one gets the focus.
  const fields = { balance: register("balance"), reason: register("reason") };
  const second = useSecondPerson(`${user.balance} ${cents}`);

  function adjust({ balance, reason }: z.infer<typeof schema>) {
    const amounts = { balance: wireAmount(parseCents(balance) ?? 0), expectedBalance: user.balance };
    const messages = outcomeMessages<AdminUser>({
      success: "User balance updated successfully",
      fallback: "Failed to update user balance",
      ...outcomes,
      onRefused: second.onRefused,
      async onConflict(error) {
        if (errorCode(error) !== "balance_changed") return onConflict();
        const now = await userNow(listed.id);
        if (now !== null) {
          setUser(now);
          onSeen(now);
        }
        return setFocus("balance");
      },
    });
    void decide(send({ ...amounts, reason, ...second.propose }), messages);
  }
  const submit = handleSubmit(adjust, ({ balance }) => showError(balance ? BALANCE_INVALID : REASON_REQUIRED));
  return (
    <DecisionDialog
      title="Adjust Balance"
      description="The change is recorded in the ledger and in the audit log under your name."
      confirmLabel={confirmLabel(cents, second.cause !== null)}
      // With another balance, or as a proposal, the same button is a different decision.
      step={`${user.balance} ${second.cause}`}
      isBusy={isBusy}
      initialFocus={() => setFocus("balance")}
      onCancel={onCancel}
      onConfirm={() => void submit()}
    >
      <Facts
        facts={[
          ["User", `${user.username} #${user.id}`],
          ["Current balance", formatDollars(balanceCents)],
          ["Withdrawable", formatDollars(centsOf(user.availableToWithdraw))],
        ]}
      />
      <Field
        label="New Balance ($)"
        hint="Applied only if the balance has not changed in the meantime."
        error={formState.errors.balance?.message}
        isQuiet
      >
        {(ids) => (
          <Input
            {...fields.balance}
            {...ids}
            inputMode="decimal"
            step="0.01"
            min="0"
            autoComplete="off"
            placeholder="0.00"
          />
        )}
      </Field>
      <p role="status" className="min-h-5 text-14 text-ink-2">
        {cents !== null && (
          <>
            <Change fromCents={balanceCents} toCents={cents} />{" "}
            {cents === balanceCents ? "(no change)" : `(${signedDollars(cents - balanceCents)})`}
          </>
        )}
      </p>
      <ReasonField
        label="Reason"
        hint="It is kept in the audit log."
        input={fields.reason}
        error={formState.errors.reason?.message}
      />
      <SecondPersonNotice cause={second.cause} />
    </DecisionDialog>
  );
}
