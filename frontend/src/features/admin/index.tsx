import { type FormEvent, useRef, useState } from "react";
import { api, errorMessage, newIdempotencyKey } from "@/api/client";
import { useSession } from "@/api/session";
import { Button, Field, Input, Panel, toast } from "@/components";
import { parseCents, wireAmount } from "@/lib/money";

export function AccessDenied() {
  return (
    <div role="alert" className="grid gap-3 py-16">
      <h1 className="text-28 font-bold" tabIndex={-1}>
        Access Denied
      </h1>
      <p className="max-w-[60ch] text-14 text-ink-2">You do not have permission to access the admin panel. This area is restricted to administrators only.</p>
    </div>
  );
}

/** Sets one user's balance: the first of the panel's tools. */
export function AdjustBalance() {
  const { user, refresh } = useSession();
  const [userId, setUserId] = useState("");
  const [balance, setBalance] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [refused, setRefused] = useState<"user" | "balance" | null>(null);
  const pending = useRef<{ input: string; key: string } | null>(null);

  async function submit(event: FormEvent) {
    event.preventDefault();
    const cents = parseCents(balance);
    const isUser = /^\d{1,15}$/.test(userId);
    setRefused(cents === null ? "balance" : isUser ? null : "user");
    if (cents === null || !isUser) {
      const description = cents === null ? "Please enter a valid balance (numeric value >= 0)" : "Please enter a user ID";
      toast({ title: "Error", description, variant: "destructive" });
      return;
    }
    const input = `${userId}:${cents}`;
    // The same key as long as the same call has not been answered.
    if (pending.current?.input !== input) pending.current = { input, key: newIdempotencyKey() };
    setBusy(true);
    try {
      await api.POST("/api/admin/users/{userId}/balance", {
        params: { path: { userId: Number(userId) }, header: { "Idempotency-Key": pending.current.key } },
        body: { balance: wireAmount(cents) },
      });
      pending.current = null;
      toast({ title: "Success", description: "User balance updated successfully" });
      if (Number(userId) === user?.id) await refresh();
    } catch (error) {
      toast({ title: "Error", description: errorMessage(error, "Failed to update user balance"), variant: "destructive" });
    } finally {
      setBusy(false);
    }
  }
  return (
    <Panel title="Adjust Balance">
      <form onSubmit={(event) => void submit(event)} noValidate className="grid max-w-[420px] gap-4">
        <Field label="User ID" hint="Players find it in their Account tab.">
          {(ids) => (
            <div className="flex gap-2">
              <Input {...ids} aria-invalid={refused === "user" || undefined} inputMode="numeric" autoComplete="off" value={userId} onChange={(event) => setUserId(event.target.value)} />
              <Button onClick={() => setUserId(String(user?.id ?? ""))}>My own</Button>
            </div>
          )}
        </Field>
        <Field label="New Balance ($)">
          {(ids) => <Input {...ids} aria-invalid={refused === "balance" || undefined} inputMode="decimal" autoComplete="off" value={balance} onChange={(event) => setBalance(event.target.value)} />}
        </Field>
        <Button type="submit" variant="primary" loading={isBusy} className="justify-self-start">
          Set balance
        </Button>
      </form>
      <p className="mt-5 max-w-[60ch] text-13 text-ink-3">
        The change is entered in the ledger and in the audit log. Users, withdrawals, deposits and the rest of the panel come with a later version.
      </p>
    </Panel>
  );
}
