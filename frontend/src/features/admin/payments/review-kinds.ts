// The texts for each kind of review: what happened, and what can be done about it.

import { asLabel } from "../lists/wording";

/** The remedy besides asking the provider again. */
export type ReviewRemedy = "confirm" | "adjust" | "none";
type ReviewWords = { title: string; happened: string; toDo: string; remedy: ReviewRemedy };

const REVIEW_WORDS: Readonly<Record<string, ReviewWords>> = {
  mismatch: {
    title: "Not what we asked for",
    happened:
      "The provider's order, invoice or price for this payment differs from our record. The payment is quarantined and nothing of it was credited.",
    toDo: "Compare it with the order in the provider's own panel. If the money is the player's, confirm it by hand; if not, credit nothing and note why.",
    remedy: "confirm",
  },
  orphan: {
    title: "No order of ours",
    happened: "Money arrived that belongs to no order we know. Nothing was credited, since nobody knows to whom.",
    toDo: "Find out whose it is, by the order ID and by what players report. Confirm it by hand for that player, or have the provider send it back.",
    remedy: "confirm",
  },
  overpaid: {
    title: "Too much was paid",
    happened:
      "More arrived than is credited without being asked. The player has been credited up to the limit, and the rest is waiting.",
    toDo: "Ask the player. Confirm the rest by hand, which credits at most the amount in question, or have the provider send it back.",
    remedy: "confirm",
  },
  wrong_asset: {
    title: "Another coin was sent",
    happened:
      "The player sent another coin than the invoice asked for, so its price says nothing about what arrived. Nothing was credited.",
    toDo: "See in the provider's panel what the coins were worth on arrival, and confirm the payment by hand with that amount, or have it sent back.",
    remedy: "confirm",
  },
  late_payment: {
    title: "Paid too late for its rate",
    happened:
      "The money came after the rate's lifetime, usually an hour, and the provider does not say in dollars what it brought in. Nothing more was credited.",
    toDo: "See in the provider's panel what it brought in, and confirm it by hand with that or with the rate's value, whichever is less.",
    remedy: "confirm",
  },
  unclear: {
    title: "Figures that make no sense",
    happened: "The provider's figures for this payment contradict each other or are missing. Nothing was credited.",
    toDo: "Check the payment again; the provider may have corrected it. If not, ask its support, and confirm by hand what really arrived.",
    remedy: "confirm",
  },
  returned_after_credit: {
    title: "Credited, and the money is gone",
    happened:
      "The payment failed, expired unpaid or was refunded after the player had been credited. Nothing is ever taken from a player without a person's decision.",
    toDo: "Check at the provider that the money is not there. Then take the amount off the balance, as far as it is still there, and consider a ban where it was done on purpose.",
    remedy: "adjust",
  },
  credited_to_another: {
    title: "Credited to another player",
    happened:
      "The payment was confirmed by hand for one player, and turns out to pay a deposit of another. It stays with the first; the second has not been credited.",
    toDo: "Find out who sent it. If it was the second player, adjust both balances, and tell both of them why.",
    remedy: "adjust",
  },
  credited_too_much: {
    title: "Credited too much",
    happened:
      "The provider now says that less was received than was credited. Nothing is ever taken from a player without a person's decision.",
    toDo: "Ask the provider why its figure changed. Then take the difference off the balance, or leave it to the player and note why.",
    remedy: "adjust",
  },
  unfetchable: {
    title: "Cannot be looked up",
    happened:
      "The provider called us about this payment, but does not answer when asked about it. Nothing was credited.",
    toDo: "Check it again in a while. If it stays unknown, ask the provider's support: a real payment can always be looked up.",
    remedy: "none",
  },
};

/** The texts of a kind; for an unknown kind, the general ones. */
export const reviewWords = (kind: string): ReviewWords =>
  REVIEW_WORDS[kind] ?? {
    title: asLabel(kind),
    happened: "The rules leave this payment to a person. What was noted about it stands below.",
    toDo: "Check the payment again, and compare it with the provider's own panel.",
    remedy: "none",
  };
