import { expect, it } from "vitest";
import { pagesOf } from "./panel-search";

const pages = (digits: string) => [
  [`Withdrawal ${digits}`, `/admin/withdrawals/${digits}`],
  [`Payment ${digits}`, `/admin/payments/${digits}`],
  [`Round ${digits}`, `/admin/rounds/${digits}`],
];

it.each([
  ["7", pages("7")],
  ["#7", pages("7")],
  ["123456789012345", pages("123456789012345")],
  ["", []],
  ["#", []],
  ["##7", []],
  ["0", []],
  ["07", []],
  ["-7", []],
  ["7.5", []],
  ["7a", []],
  ["lena", []],
  // No number that JavaScript keeps exactly.
  ["1234567890123456", []],
])("the pages that %j may belong to", (query, expected) =>
  expect(pagesOf(query).map(({ name, address }) => [name, address])).toEqual(expected),
);
