import { expect, it } from "vitest";
import { proposal } from "@/test-support/admin-money";
import { proposedText, withProposal } from "./proposals";

const { terms } = proposal();
const forInvoice = proposal({ terms: { ...terms, paymentId: "77" } });
const approval = proposal({
  kind: "approve_withdrawal",
  amount: "5000.00",
  terms: { ...terms, paymentId: null, currency: null, withdrawalId: 17 },
});

it.each([
  [proposal(), "51", "to credit $700.00 to ada"],
  [proposal({ user: null }), "51", "to credit $700.00"],
  [forInvoice, "51", "to credit $700.00 to ada for its invoice 77"],
  [approval, undefined, "to approve this withdrawal"],
  [
    proposal({ kind: "adjust_balance", summary: "adjust the balance: from 1.00 to 2.00" }),
    undefined,
    "to adjust the balance: from 1.00 to 2.00",
  ],
])("says what is proposed, and for whom (%#)", (one, paymentId, text) =>
  expect(proposedText(one, paymentId)).toBe(text),
);

it("a proposal that was just made is there once", () => {
  const [older, made] = [proposal({ id: 3 }), proposal({ id: 4 })];
  expect(withProposal([older], made)).toEqual([older, made]);
  expect(withProposal([older, made], made)).toEqual([older, made]);
});
