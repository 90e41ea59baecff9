import { expect, it } from "vitest";
import { addressOf, sectionOf, SECTIONS } from "./sections";

it("every section has an address of its own, which leads to it", () => {
  const addresses = SECTIONS.map(addressOf);
  expect(new Set(addresses).size).toBe(SECTIONS.length);
  const found = addresses.map((address) => sectionOf(new URL(address, "http://localhost").searchParams.get("tab")));
  expect(found).toEqual(SECTIONS);
});

it("an unknown name leads to the first one", () => expect(sectionOf("no-such-section")).toBe(SECTIONS[0]));
