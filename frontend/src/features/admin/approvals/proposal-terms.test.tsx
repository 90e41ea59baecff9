import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import type { Proposal } from "../api/admin";
import { amountOf, ProposalTerms } from "./proposal-terms";
import { unavailableActs } from "./wording";

afterEach(cleanup);

const NO_TERMS: Proposal["terms"] = {
  oldBalance: null,
  newBalance: null,
  paymentId: null,
  currency: null,
  withdrawalId: null,
  oldRole: null,
  newRole: null,
  thresholds: null,
};
const THRESHOLDS = {
  adjustment: "1.00",
  confirmation: "2.00",
  withdrawal: "3.00",
  personPerDay: "4.00",
  housePerDay: "5000.00",
  automaticWithdrawal: "0.00",
};
const proposal = (kind: Proposal["kind"], amount: string | null, terms: Partial<Proposal["terms"]>) =>
  ({ kind, amount, terms: { ...NO_TERMS, ...terms }, summary: "in the audit log" }) as Proposal;

it.each([
  [
    proposal("adjust_balance", "-240.00", { oldBalance: "250.00", newBalance: "10.00" }),
    "−$240.00",
    /^Change the balance by −\$240\.00\. It was \$250\.00 when this was proposed;/,
  ],
  [
    proposal("confirm_payment", "700.00", { paymentId: "51", currency: "USDT" }),
    "$700.00",
    "Credit $700.00 for payment 51, which was paid in USDT.",
  ],
  [proposal("approve_withdrawal", "5000.00", { withdrawalId: 7 }), "$5,000.00", "Approve withdrawal 7 of $5,000.00."],
  [
    proposal("change_role", null, { oldRole: "player", newRole: "finance" }),
    null,
    "Change the role from Player to Finance.",
  ],
  [
    proposal("change_thresholds", null, { thresholds: THRESHOLDS }),
    null,
    /One withdrawal: \$3\.00.*\$5,000\.00.*\$0\.00$/,
  ],
])("says what is proposed: %#", (proposed, amount, text) => {
  expect(amountOf(proposed)).toBe(amount);
  const { container } = render(<ProposalTerms proposal={proposed} />);
  if (typeof text === "string") expect(container.textContent).toBe(text);
  else expect(container.textContent).toMatch(text);
});

it("names only what nobody else could approve", () => {
  const secondPerson = {
    adjustBalances: true,
    confirmPayments: true,
    decideWithdrawals: false,
    changeRoles: true,
    changeThresholds: false,
  };
  expect(unavailableActs({ secondPerson } as Parameters<typeof unavailableActs>[0])).toEqual([
    "withdrawals above the threshold",
    "other thresholds",
  ]);
});
