import { expect, test } from "vitest";
import { filterOf, sortsOf, STATUSES } from "./wording";

test("each filter is a status or a state of the payment", () => {
  for (const { value } of STATUSES) {
    const { status, payout } = filterOf(value, "newest");
    if (value === "all") expect([status, payout]).toEqual([undefined, undefined]);
    else expect([status, payout].filter((one) => one !== undefined)).toEqual([value]);
  }
});

test("only pending requests are sorted by risk and amount", () => {
  expect(filterOf("pending", "risk").sort).toBe("risk");
  expect(filterOf("pending", "newest").sort).toBeUndefined();
  expect(filterOf("sent", "risk").sort).toBeUndefined();
  expect(filterOf("sent", "oldest").sort).toBe("oldest");
});

test("an order that can be chosen is the order of the data", () => {
  for (const { value } of STATUSES)
    for (const sort of sortsOf(value)) expect(filterOf(value, sort.value).sort ?? "newest").toBe(sort.value);
});
