import { expect, it } from "vitest";
import type { TimelineEntry } from "../api/admin";
import { describe as inWords, KIND_LABELS } from "./describe";

const at = "2026-11-26T12:00:00.000001Z";

it("a round says the stake, the payout and what it changed", () => {
  const event = { gameType: "dice", betAmount: "10.00", winAmount: "4.00", outcome: "loss", balanceAfter: "94.00" };
  expect(inWords({ kind: "round", id: 17, at, event } as TimelineEntry)).toEqual({
    title: "Dice: $10.00 staked, $4.00 paid",
    note: "Round 17 · loss · balance $94.00",
    changeCents: -600,
    address: "/admin/rounds/17",
  });
});

it("a request changes no balance, and says how it stands now", () => {
  const deposit = { amount: "30.00", creditedAmount: "0.00", currency: "btc", status: "pending" };
  expect(inWords({ kind: "deposit", id: 3, at, event: deposit } as TimelineEntry)).toMatchObject({
    title: "Deposit of $30.00 in BTC requested",
    note: "Deposit 3 · now pending",
    changeCents: null,
  });
  const paid = { ...deposit, creditedAmount: "29.50", status: "completed" };
  expect(inWords({ kind: "deposit", id: 3, at, event: paid } as TimelineEntry).note).toBe(
    "Deposit 3 · now completed · $29.50 credited",
  );
  const withdrawal = {
    amount: "20.00",
    fee: "0.20",
    currency: "btc",
    walletAddress: "bc1q",
    status: "rejected",
    reason: "Twice",
    payout: null,
  };
  expect(inWords({ kind: "withdrawal", id: 7, at, event: withdrawal } as TimelineEntry)).toEqual({
    title: "Withdrawal of $20.00 in BTC requested",
    note: "Request 7 · now rejected · Twice · to bc1q",
    changeCents: null,
    address: "/admin/withdrawals/7",
  });
  const approved = { ...withdrawal, status: "approved", reason: null, payout: "sent" };
  expect(inWords({ kind: "withdrawal", id: 7, at, event: approved } as TimelineEntry).note).toBe(
    "Request 7 · now approved · payment sent · to bc1q",
  );
});

it("a ledger entry has its sign and the balance after it", () => {
  const event = { entry: "withdrawal", amount: "-20.00", balanceAfter: "80.00", reference: "withdrawal:7" };
  expect(inWords({ kind: "ledger", id: 5, at, event } as TimelineEntry)).toEqual({
    title: "Held for a withdrawal",
    note: "balance $80.00 · withdrawal 7",
    changeCents: -2000,
    address: "/admin/withdrawals/7",
  });
  const credit = { entry: "deposit", amount: "20.00", balanceAfter: "100.00", reference: "payment:51/1" };
  expect(inWords({ kind: "ledger", id: 6, at, event: credit } as TimelineEntry).address).toBe("/admin/payments/51");
  const adjusted = { ...credit, entry: "adjustment", reference: "adjustment:3:7" };
  expect(inWords({ kind: "ledger", id: 7, at, event: adjusted } as TimelineEntry).address).toBeNull();
});

it.each([
  ["set", "Stake limit a day set to $50.00"],
  ["requested", "Stake limit a day: change to $50.00 requested"],
  ["confirmed", "Stake limit a day changed to $50.00"],
  ["withdrawn", "Stake limit a day: requested change withdrawn"],
])("a limit that is %s", (action, title) => {
  const event = { id: 1, kind: "stake", period: "day", action, oldValue: null, newValue: "50.00", at };
  expect(inWords({ kind: "limit", id: 1, at, event } as TimelineEntry)).toMatchObject({ title, note: "before: none" });
});

it("an exclusion says until when", () => {
  const event = { kind: "self_exclusion", duration: "permanent", since: at, until: at, isPermanent: true };
  expect(inWords({ kind: "exclusion", id: 1, at, event } as TimelineEntry)).toMatchObject({
    title: "Self-exclusion began",
    note: "for ever",
  });
  const day = { ...event, kind: "cool_off", duration: "day", isPermanent: false };
  const line = inWords({ kind: "exclusion", id: 1, at, event: day } as TimelineEntry);
  expect(line.title).toBe("Cool-off began");
  expect(line.note).toMatch(/^until .*2026/);
});

it("a record of the log says who did what", () => {
  const event = { action: "user_banned", adminUsername: "keeper", details: "Several accounts" };
  expect(inWords({ kind: "audit", id: 1, at, event } as TimelineEntry)).toMatchObject({
    title: "User banned",
    note: "by keeper · Several accounts",
  });
  const byNobody = { ...event, adminUsername: null, details: "" };
  expect(inWords({ kind: "audit", id: 1, at, event: byNobody } as TimelineEntry).note).toBe("");
  const noted = { ...event, action: "player_noted", details: "reason: Asked for a photo" };
  expect(inWords({ kind: "audit", id: 1, at, event: noted } as TimelineEntry).note).toBe(
    "by keeper · Asked for a photo",
  );
});

it("a sign-in says from where", () => {
  const event = { id: 9, kind: "signed_in", device: null, address: "192.0.2.1", isNewDevice: true, createdAt: at };
  expect(inWords({ kind: "security", id: 9, at, event } as TimelineEntry)).toMatchObject({
    title: "Signed in",
    note: "Unknown device, 192.0.2.1 · new device",
  });
});

it("every kind has a name", () => expect(Object.keys(KIND_LABELS)).toHaveLength(8));
