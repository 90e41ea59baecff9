import { expect, it } from "vitest";
import { isRemainder } from "./remainder";

it("a balance below the minimum withdrawal can only be given up", () => {
  expect(["0.01", "19.99"].map(isRemainder)).toEqual([true, true]);
  expect(["0.00", "20.00", "1000.00"].map(isRemainder)).toEqual([false, false, false]);
});
