import { expect, it } from "vitest";
import { anchorOf, blocksOf } from "./blocks";

it("a text has headings, paragraphs and lists", () => {
  const text =
    "Before you play\nread this.\n\n# 1. Money\nIt is yours.\n- Deposit,\n  then bet\n- Withdraw\n\n- Again\n# End";
  expect(blocksOf(text)).toEqual([
    { kind: "paragraph", text: "Before you play read this." },
    { kind: "heading", text: "1. Money", id: "money" },
    { kind: "paragraph", text: "It is yours." },
    { kind: "list", items: ["Deposit, then bet", "Withdraw"] },
    { kind: "list", items: ["Again"] },
    { kind: "heading", text: "End", id: "end" },
  ]);
});

it("markup is text", () => {
  expect(blocksOf("<script>alert(1)</script>\n#no heading\n-no item")).toEqual([
    { kind: "paragraph", text: "<script>alert(1)</script> #no heading -no item" },
  ]);
});

it.each([
  ["1. Who can play", "who-can-play"],
  ["Privacy Policy", "privacy-policy"],
  ["2.3 Über uns!", "über-uns"],
])("%s is at #%s", (heading, anchor) => {
  expect(anchorOf(heading)).toBe(anchor);
});
