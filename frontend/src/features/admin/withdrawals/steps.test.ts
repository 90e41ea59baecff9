import { expect, it } from "vitest";
import { payout, withdrawal } from "@/test-support/admin-money";
import { stepsFor } from "./steps";

type Request = ReturnType<typeof withdrawal>;
const approved = (paid: Request["payout"]): Partial<Request> => ({ status: "approved", payout: paid });
const byProvider = (changed: Parameters<typeof payout>[0]) => approved(payout({ method: "provider", ...changed }));
const OWN = "Your own request: another administrator must decide";
const READER = "A cashier or an owner decides";

it.each<[string, Partial<Request>, string[]]>([
  ["pending", {}, ["Approve", "Reject"]],
  ["delayed", { payableFrom: "2026-11-27T12:00:00Z" }, ["Approve", "Reject"]],
  ["rejected", { status: "rejected" }, []],
  ["approved without a payment", approved(null), []],
  ["to be paid by hand", approved(payout()), ["Mark as Sent", "Mark as Failed"]],
  ["sent by hand", approved(payout({ state: "sent" })), ["Mark as Arrived", "Mark as Failed"]],
  ["sent by hand for good", approved(payout({ state: "sent", canBeStopped: false })), ["Mark as Arrived"]],
  ["arrived", approved(payout({ state: "confirmed", canBeStopped: false })), []],
  ["failed", approved(payout({ state: "failed", canBeStopped: false })), ["Return Amount"]],
  ["returned", approved(payout({ state: "returned", canBeStopped: false })), []],
  ["with the provider", byProvider({}), ["Mark as Failed"]],
  ["sent by the provider", byProvider({ state: "sent", canBeStopped: false }), []],
  ["failed at the provider", byProvider({ state: "failed", canBeStopped: false }), ["Return Amount"]],
])("who decides on withdrawals is offered what comes next: %s", (_, parts, labels) => {
  const { steps, hindrance } = stepsFor(withdrawal(parts), true, false);
  expect(steps.map(({ label }) => label)).toEqual(labels);
  expect(hindrance).toBeNull();
});

it.each<[string, Partial<Request>, boolean, boolean, string | null]>([
  ["one's own", {}, true, true, OWN],
  ["one's own, approved by another", approved(payout()), true, true, null],
  ["an auditor", {}, false, false, READER],
  ["an auditor, approved", approved(payout()), false, false, null],
  ["an auditor's own", {}, false, true, READER],
  ["cancelled", { status: "cancelled" }, true, false, "By the player"],
  ["cancelled, for an auditor", { status: "cancelled" }, false, false, "By the player"],
])("nothing is offered: %s", (_, parts, mayDecide, isOwn, hindrance) =>
  expect(stepsFor(withdrawal(parts), mayDecide, isOwn)).toEqual({ steps: [], hindrance }),
);
