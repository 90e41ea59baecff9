// What the dialogs show in place of their forms while the operator has stopped deposits or withdrawals.

import type { HouseState } from "@/api/house";
import type { CurrentUser } from "@/api/types";
import type { OpenDeposit } from "./api/wallet";
import { UnpaidDeposits } from "./unpaid-deposits";

/** Why something is stopped: what happens, and the operator's words. */
export type Stopped = { title: string; reason: string };

type Player = Pick<CurrentUser, "isBettingBlocked" | "isWithdrawingBlocked"> | null;

const MAINTENANCE = "Glasshouse is under maintenance.";
const SUPPORT = "Please contact support.";

export function depositStop(house: HouseState, user: Player): Stopped | null {
  if (house.maintenance) return { title: MAINTENANCE, reason: house.maintenance.reason };
  if (house.deposits) return { title: "Deposits are paused at the moment.", reason: house.deposits.reason };
  return user?.isBettingBlocked === true
    ? { title: "Bets and deposits are blocked for your account.", reason: SUPPORT }
    : null;
}

export function withdrawalStop(house: HouseState, user: Player): Stopped | null {
  if (house.maintenance) return { title: MAINTENANCE, reason: house.maintenance.reason };
  if (house.withdrawals) return { title: "Withdrawals are paused at the moment.", reason: house.withdrawals.reason };
  return user?.isWithdrawingBlocked === true
    ? { title: "Withdrawals are blocked for your account.", reason: SUPPORT }
    : null;
}

function Reason({ stop }: { stop: Stopped }) {
  return (
    <p role="status" className="text-pretty text-14">
      <strong className="block font-semibold">{stop.title}</strong>
      <span className="break-words">{stop.reason}</span>
    </p>
  );
}

export function DepositsStopped({ stop, onReopen }: { stop: Stopped; onReopen(deposit: OpenDeposit): void }) {
  return (
    <div className="grid gap-4">
      <Reason stop={stop} />
      <UnpaidDeposits onReopen={onReopen} />
      <p className="text-pretty text-14 text-ink-2">Payments for open invoices are still credited.</p>
    </div>
  );
}

export function WithdrawalsStopped({ stop }: { stop: Stopped }) {
  return (
    <div className="grid gap-4">
      <Reason stop={stop} />
      <p className="text-pretty text-14 text-ink-2">
        Your balance stays as it is. Earlier requests are in the list of your withdrawals.
      </p>
    </div>
  );
}
