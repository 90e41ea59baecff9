// What the entries of a player's timeline say, each in one line.

import { eventText, originText } from "@/components/security-event-list";
import { gameTypeLabel } from "@/games/registry";
import { formatZoned } from "@/lib/zoned-time";
import { limitName, limitValueText } from "@/lib/limit-texts";
import { centsOf, formatWire } from "@/lib/money";
import type { TimelineEntry } from "../api/admin";
import { paymentAddress, roundAddress, withdrawalAddress } from "../lists/cells";
import { asLabel, inWords } from "../lists/wording";
import { tabAddress } from "../tabs";
import { ACTIONS } from "../tabs/logs-tab";

export type Kind = TimelineEntry["kind"];
type EventOf<K extends Kind> = Extract<TimelineEntry, { kind: K }>["event"];

/** What the kinds are called, in the order of the filter. */
export const KIND_LABELS: Readonly<Record<Kind, string>> = {
  round: "Rounds",
  deposit: "Deposits",
  withdrawal: "Withdrawals",
  ledger: "Ledger",
  security: "Security",
  limit: "Limits",
  exclusion: "Exclusions",
  audit: "Audit log",
};

export type Line = {
  title: string;
  /** What else is known of it; null for nothing. */
  note: string | null;
  /** The change of the balance; null if it did not change the balance. */
  changeCents: number | null;
  /** Where the panel shows it; null for nowhere. */
  address: string | null;
};

const joined = (...parts: readonly (string | null | false)[]): string =>
  parts.filter((part) => part !== null && part !== false && part !== "").join(" · ");

function round(id: number, event: EventOf<"round">): Line {
  return {
    title: `${gameTypeLabel(event.gameType)}: ${formatWire(event.betAmount)} staked, ${formatWire(event.winAmount)} paid`,
    note: joined(`Round ${id}`, event.outcome, `balance ${formatWire(event.balanceAfter)}`),
    changeCents: centsOf(event.winAmount) - centsOf(event.betAmount),
    address: roundAddress(id),
  };
}

/** The balance changes with the ledger entry, which is a line of its own. */
function deposit(id: number, event: EventOf<"deposit">): Line {
  const isPaid = centsOf(event.creditedAmount) > 0;
  return {
    title: `Deposit of ${formatWire(event.amount)} in ${event.currency.toUpperCase()} requested`,
    note: joined(
      `Deposit ${id}`,
      `now ${inWords(event.status)}`,
      isPaid && `${formatWire(event.creditedAmount)} credited`,
    ),
    changeCents: null,
    address: `${tabAddress("deposits")}&search=${encodeURIComponent(`#${id}`)}`,
  };
}

function withdrawal(id: number, event: EventOf<"withdrawal">): Line {
  return {
    title: `Withdrawal of ${formatWire(event.amount)} in ${event.currency.toUpperCase()} requested`,
    note: joined(
      `Request ${id}`,
      `now ${inWords(event.status)}`,
      event.payout !== null && `payment ${inWords(event.payout)}`,
      event.reason,
      `to ${event.walletAddress}`,
    ),
    changeCents: null,
    address: withdrawalAddress(id),
  };
}

const ENTRIES: Readonly<Record<EventOf<"ledger">["entry"], string>> = {
  deposit: "Deposit credited",
  withdrawal: "Held for a withdrawal",
  withdrawal_returned: "Withdrawal returned",
  adjustment: "Balance adjusted",
  stake: "Stake",
  payout: "Payout",
};

/** The page of what a ledger entry is for: "payment:51/1" and "withdrawal:7" are references. */
function causeAddress(reference: string): string | null {
  const [kind, id = ""] = reference.split(/[:/]/);
  if (kind === "payment") return paymentAddress(id);
  return kind === "withdrawal" ? withdrawalAddress(Number(id)) : null;
}

const ledger = (event: EventOf<"ledger">): Line => ({
  title: ENTRIES[event.entry],
  note: joined(`balance ${formatWire(event.balanceAfter)}`, event.reference.replace(":", " ")),
  changeCents: centsOf(event.amount),
  address: causeAddress(event.reference),
});

function limit(event: EventOf<"limit">): Line {
  const name = limitName(event.kind, event.period);
  const text = (value: string | null) => (value === null ? "none" : limitValueText(event.kind, value));
  const [before, after] = [text(event.oldValue), text(event.newValue)];
  const titles: Readonly<Record<typeof event.action, string>> = {
    set: `${asLabel(name)} set to ${after}`,
    requested: `${asLabel(name)}: change to ${after} requested`,
    confirmed: `${asLabel(name)} changed to ${after}`,
    withdrawn: `${asLabel(name)}: requested change withdrawn`,
  };
  return { title: titles[event.action], note: `before: ${before}`, changeCents: null, address: null };
}

const exclusion = (event: EventOf<"exclusion">): Line => ({
  title: event.kind === "cool_off" ? "Cool-off began" : "Self-exclusion began",
  note: event.isPermanent ? "for ever" : `until ${formatZoned(event.until)}`,
  changeCents: null,
  address: null,
});

const audit = (event: EventOf<"audit">): Line => ({
  title: ACTIONS[event.action],
  note: joined(
    event.adminUsername !== null && `by ${event.adminUsername}`,
    // A note is nothing else.
    event.action === "player_noted" ? event.details.replace(/^reason: /, "") : event.details,
  ),
  changeCents: null,
  address: null,
});

/** An entry in words. */
export function describe(entry: TimelineEntry): Line {
  switch (entry.kind) {
    case "round":
      return round(entry.id, entry.event);
    case "deposit":
      return deposit(entry.id, entry.event);
    case "withdrawal":
      return withdrawal(entry.id, entry.event);
    case "ledger":
      return ledger(entry.event);
    case "limit":
      return limit(entry.event);
    case "exclusion":
      return exclusion(entry.event);
    case "audit":
      return audit(entry.event);
    case "security":
      return {
        title: eventText(entry.event.kind),
        note: joined(originText(entry.event), entry.event.isNewDevice && "new device"),
        changeCents: null,
        address: null,
      };
  }
}
