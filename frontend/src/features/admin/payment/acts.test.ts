import { expect, it } from "vitest";
import { BEN, minute, payment, paymentFacts, proposal, review } from "@/test-support/admin-money";
import { confirmed, proposed, resolved } from "./acts";

const open = review({ id: 6 });
const other = review({ id: 7, kind: "unclear" });
const closed = review({ id: 5, resolvedAt: minute(4), resolvedBy: BEN, resolution: "Sent back" });
const known = payment({ facts: paymentFacts({ creditedAmount: "40.00" }), reviews: [closed, open, other] });

it("a resolved review takes its place", () => {
  const now = review({ id: 6, resolvedAt: minute(8), resolvedBy: BEN, resolution: "Sent back" });
  expect(resolved(now)(known).reviews).toEqual([closed, now, other]);
});

it("what was confirmed is credited, and no review offers it again", () => {
  const done = { payment_id: "51", credited_amount: "0.30", message: "" };
  const after = confirmed(done)(known);
  expect(after.facts?.creditedAmount).toBe("40.30");
  expect(after.reviews).toEqual([closed]);
  expect(confirmed(done)(payment()).facts).toBeNull();
});

it("a proposal waits, and changes nothing else", () => {
  expect(proposed(proposal())(known)).toEqual({ ...known, proposals: [proposal()] });
});
