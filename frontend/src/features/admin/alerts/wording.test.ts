import { expect, it } from "vitest";
import { type Delivery, deliveryName, deliveryOutcome, deliverySummary, hasProblem } from "./wording";

const delivery = (more: Partial<Delivery>): Delivery => ({
  message: "raised",
  channel: "mail",
  recipient: "ops@example.com",
  state: "delivered",
  attempts: 1,
  deliveredAt: "2026-11-26T12:00:00Z",
  problem: null,
  ...more,
});
const waiting = delivery({ state: "waiting", attempts: 3, deliveredAt: null, problem: "it answered 500" });
const fresh = delivery({ state: "waiting", attempts: 0, deliveredAt: null });
const givenUp = delivery({ state: "given_up", attempts: 30, deliveredAt: null, problem: "it took too long" });

it.each([
  [[], ""],
  [[delivery({})], "1 delivered"],
  [[delivery({}), delivery({}), waiting, givenUp], "2 delivered, 1 waiting, 1 failed"],
])("sums up %j", (deliveries, expected) => expect(deliverySummary(deliveries)).toBe(expected));

it("tells a problem from a first attempt that is about to be made", () => {
  expect(hasProblem([delivery({}), fresh])).toBe(false);
  expect(hasProblem([delivery({}), waiting])).toBe(true);
  expect(hasProblem([givenUp])).toBe(true);
});

it("says who was told what, and what became of it", () => {
  expect(deliveryName(delivery({}))).toBe("ops@example.com");
  expect(deliveryName(delivery({ channel: "webhook", recipient: null, message: "resolved" }))).toBe(
    "Webhook, that it is resolved",
  );
  expect(deliveryOutcome(delivery({}))).toMatch(/^delivered .*2026/);
  expect(deliveryOutcome(fresh)).toBe("waiting");
  expect(deliveryOutcome(waiting)).toBe("waiting; attempt 3: it answered 500");
  expect(deliveryOutcome(givenUp)).toBe("given up; attempt 30: it took too long");
});
