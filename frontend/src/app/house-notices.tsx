import { Ban, Wrench } from "lucide-react";
import type { ReactNode } from "react";
import { useHouse } from "@/api/house";
import { useUser } from "@/api/session";

/** What the operator has stopped, for everybody or for the signed-in player, on every screen. */
export default function HouseNotices() {
  const { maintenance } = useHouse();
  const user = useUser();
  const isBlocked = user?.isBettingBlocked || user?.isWithdrawingBlocked;
  return (
    <>
      {maintenance && (
        <Notice label="Maintenance" icon={<Wrench aria-hidden className="mt-0.5 size-5 shrink-0 text-notice" />}>
          <strong className="font-semibold">Glasshouse is under maintenance.</strong>{" "}
          <span className="break-words">{maintenance.reason}</span>
          <span className="block text-ink-2">
            There are no new rounds, deposits and withdrawals. Rounds in play can be finished.
          </span>
        </Notice>
      )}
      {isBlocked && (
        <Notice label="Restriction" icon={<Ban aria-hidden className="mt-0.5 size-5 shrink-0 text-notice" />}>
          <strong className="font-semibold">{blockedText(user)}</strong>{" "}
          <span className="text-ink-2">
            {user.isBettingBlocked ? "Rounds in play can be finished. " : ""}Please contact support.
          </span>
        </Notice>
      )}
    </>
  );
}

function blockedText(user: { isBettingBlocked: boolean; isWithdrawingBlocked: boolean }): string {
  if (!user.isBettingBlocked) return "Withdrawals are blocked for your account.";
  return user.isWithdrawingBlocked
    ? "Bets, deposits and withdrawals are blocked for your account."
    : "Bets and deposits are blocked for your account.";
}

function Notice({ label, icon, children }: { label: string; icon: ReactNode; children: ReactNode }) {
  return (
    <section aria-label={label} className="border-b-2 border-notice bg-raised px-4 py-3 text-14 lg:px-6">
      <p role="status" className="flex min-w-0 gap-3 text-pretty">
        {icon}
        <span className="min-w-0">{children}</span>
      </p>
    </section>
  );
}
