// The texts for each kind of review: what happened, and what can be done about it.

import type { Review } from "../api/admin";
import { asLabel } from "../lists/wording";

/** The remedy besides asking the provider again. */
export type ReviewRemedy = "confirm" | "adjust" | "none";
type ReviewWords = { title: string; happened: string; toDo: string; remedy: ReviewRemedy };

const REVIEW_WORDS: Readonly<Record<string, ReviewWords>> = {
  mismatch: {
    title: "Does not match our order",
    happened:
      "The provider's order, invoice or price for this payment differs from our record. The payment is quarantined and nothing of it was credited.",
    toDo: "Compare it with the order in the provider's own panel. If the money is the player's, confirm it by hand; if not, credit nothing and note why.",
    remedy: "confirm",
  },
  orphan: {
    title: "Unknown order",
    happened: "A payment arrived for an order that we do not know. Nothing was credited because the player is unknown.",
    toDo: "Find out whose it is from the order ID and from players' reports. Confirm it by hand for that player, or have the provider send it back.",
    remedy: "confirm",
  },
  overpaid: {
    title: "Too much was paid",
    happened:
      "More arrived than is credited automatically. The player has been credited up to the limit, and the rest needs a decision.",
    toDo: "Ask the player. Confirm the rest by hand, which credits at most the amount in question, or have the provider send it back.",
    remedy: "confirm",
  },
  wrong_asset: {
    title: "A different coin was sent",
    happened:
      "The player sent a different coin than the invoice asked for, so the invoice's price does not say what arrived. Nothing was credited.",
    toDo: "Look up in the provider's panel what the coins were worth on arrival, and confirm the payment by hand with that amount, or have it sent back.",
    remedy: "confirm",
  },
  late_payment: {
    title: "Paid too late for its rate",
    happened:
      "The money arrived after the rate had expired (a rate usually holds for an hour), and the provider does not state its value in dollars. Nothing more was credited.",
    toDo: "Look up its value in the provider's panel, and confirm it by hand with that or with its value at the original rate, whichever is less.",
    remedy: "confirm",
  },
  unclear: {
    title: "Inconsistent figures",
    happened: "The provider's figures for this payment contradict each other or are missing. Nothing was credited.",
    toDo: "Check the payment again; the provider may have corrected it. If not, ask its support, and confirm by hand what actually arrived.",
    remedy: "confirm",
  },
  returned_after_credit: {
    title: "Credited, but the money is gone",
    happened:
      "The payment failed, expired unpaid or was refunded after the player had been credited. Money is never taken from a player automatically.",
    toDo: "Check with the provider that the money is gone. Then deduct the amount from the balance, as far as the balance covers it, and consider a ban if it was done on purpose.",
    remedy: "adjust",
  },
  credited_to_another: {
    title: "Credited to another player",
    happened:
      "The payment was confirmed by hand for one player, but belongs to the deposit of another. The first keeps the credit; the second has not been credited.",
    toDo: "Find out who sent it. If it was the second player, adjust both balances and explain why to both players.",
    remedy: "adjust",
  },
  credited_too_much: {
    title: "Credited too much",
    happened:
      "The provider now says that less was received than was credited. Money is never taken from a player automatically.",
    toDo: "Ask the provider why its figure changed. Then deduct the difference from the balance, or let the player keep it and note why.",
    remedy: "adjust",
  },
  unfetchable: {
    title: "Cannot be looked up",
    happened:
      "The provider notified us of this payment, but does not return it when we look it up. Nothing was credited.",
    toDo: "Check it again in a while. If it stays unknown, ask the provider's support: a real payment can always be looked up.",
    remedy: "none",
  },
};

/** The texts of a kind; for an unknown kind, the general ones. */
export const reviewWords = (kind: string): ReviewWords =>
  REVIEW_WORDS[kind] ?? {
    title: asLabel(kind),
    happened: "This payment needs review. See the note below.",
    toDo: "Check the payment again, and compare it with the provider's own panel.",
    remedy: "none",
  };

/** Whether a review offers to credit its payment by hand. Refunded money cannot be credited. */
export const offersConfirmation = ({ kind, paymentStatus }: Pick<Review, "kind" | "paymentStatus">): boolean =>
  reviewWords(kind).remedy === "confirm" && paymentStatus !== "refunded";
