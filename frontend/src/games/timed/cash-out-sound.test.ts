import { expect, it, vi } from "vitest";
import { playSound } from "@/lib/sound";
import { playCashOut } from "./cash-out-sound";

vi.mock("@/lib/sound", () => ({ playSound: vi.fn() }));

it("plays for a gain only", () => {
  for (const cashoutMultiplier of ["0.750", "1.000", "1.00"]) playCashOut({ cashoutMultiplier });
  expect(playSound).not.toHaveBeenCalled();
  playCashOut({ cashoutMultiplier: "1.001" });
  expect(playSound).toHaveBeenCalledExactlyOnceWith("cash-out");
});
