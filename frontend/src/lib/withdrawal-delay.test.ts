import { expect, it } from "vitest";
import { delayReasonsText } from "./withdrawal-delay";

it("lists the reasons of a delay", () => {
  expect(delayReasonsText(["new_address"])).toBe("the address is new");
  expect(delayReasonsText(["new_address", "password_changed"])).toBe("the address is new and the password was changed");
  expect(delayReasonsText(["new_address", "password_changed", "second_factor_changed"])).toBe(
    "the address is new, the password was changed, and the second factor was changed",
  );
});
