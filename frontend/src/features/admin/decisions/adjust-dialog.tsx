// Sets a balance. The current one is fetched first, because its owner may be playing.

import { useEffect, useRef, useState } from "react";
import { errorCode } from "@/api/client";
import { IdempotentSender } from "@/api/idempotent-sender";
import { Field, Input } from "@/components";
import { centsOf, formatDollars, parseCents, wireAmount } from "@/lib/money";
import { type AdminUser, fetchUser, setBalance } from "../api/admin";
import { Change } from "../lists/cells";
import { signedDollars } from "../lists/wording";
import { DecisionDialog, Facts } from "./decision-dialog";
import { BALANCE_INVALID } from "./rules";
import type { StepUp } from "./step-up";
import { showError, useDecision } from "./use-decision";

type AdjustDialogProps = {
  user: AdminUser;
  onCancel(): void;
  onDone(user: AdminUser): void;
  onConflict(): void;
  /** The user's data differs from the list. */
  onSeen(user: AdminUser): void;
};

/** The user's current data, if it can be loaded. */
async function userNow(userId: number): Promise<AdminUser | null> {
  try {
    return await fetchUser(userId);
  } catch {
    // The request carries the balance that was shown; the server refuses if it has changed.
    return null;
  }
}

export function AdjustDialog({ user: listed, onCancel, onDone, onConflict, onSeen }: AdjustDialogProps) {
  const [user, setUser] = useState(listed);
  useEffect(() => {
    void userNow(listed.id).then((now) => now && setUser(now));
  }, [listed.id]);
  const [text, setText] = useState("");
  const [isRefused, setRefused] = useState(false);
  const [sender] = useState(() => new IdempotentSender());
  const input = useRef<HTMLInputElement>(null);
  const { isBusy, decide } = useDecision();
  const cents = parseCents(text);
  const balanceCents = centsOf(user.balance);

  function adjust() {
    setRefused(cents === null);
    if (cents === null) {
      showError(BALANCE_INVALID);
      input.current?.focus();
      return;
    }
    const body = { balance: wireAmount(cents), expectedBalance: user.balance };
    const send = (stepUp: StepUp) => sender.send(body, (sent, key) => stepUp(() => setBalance(user.id, sent, key)));
    void decide(async (stepUp) => (await send(stepUp)).answer, {
      success: () => "User balance updated successfully",
      fallback: "Failed to update user balance",
      onDone,
      async onConflict(error) {
        if (errorCode(error) !== "balance_changed") return onConflict();
        const now = await userNow(listed.id);
        if (now !== null) {
          setUser(now);
          onSeen(now);
        }
        return input.current?.focus();
      },
    });
  }
  return (
    <DecisionDialog
      title="Adjust Balance"
      description="The change is recorded in the ledger and in the audit log under your name."
      confirmLabel={cents === null ? "Set Balance" : `Set to ${formatDollars(cents)}`}
      // With another balance, the same button is a different decision.
      step={user.balance}
      isBusy={isBusy}
      initialFocus={input}
      onCancel={onCancel}
      onConfirm={adjust}
    >
      <Facts
        facts={[
          ["User", `${user.username} #${user.id}`],
          ["Current balance", formatDollars(balanceCents)],
          ["Withdrawable", formatDollars(centsOf(user.availableToWithdraw))],
        ]}
      />
      <Field label="New Balance ($)" hint="Applied only if the balance has not changed in the meantime.">
        {(ids) => (
          <Input
            {...ids}
            ref={input}
            aria-invalid={isRefused || undefined}
            inputMode="decimal"
            step="0.01"
            min="0"
            autoComplete="off"
            placeholder="0.00"
            value={text}
            onChange={(event) => setText(event.target.value)}
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
    </DecisionDialog>
  );
}
