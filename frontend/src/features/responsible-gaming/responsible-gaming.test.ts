import { expect, it } from "vitest";
import { GAMES } from "@/games/registry";
import { houseEdge } from "./house-edge";
import { adviceOf } from "./self-check";

it("the house edge is what the exact RTP leaves", () => {
  expect(houseEdge("99")).toBe("1.00");
  expect(houseEdge("97.29843375")).toBe("2.70");
  for (const { id, rtp } of GAMES) expect(Number(houseEdge(rtp.percent)), id).toBeGreaterThan(0);
});

it("more signs lead to firmer advice", () => {
  expect(adviceOf(0)).toBe("");
  expect(adviceOf(1)).toContain("1 warning sign. Set limits");
  expect(adviceOf(3)).toContain("3 warning signs. Consider excluding yourself");
});
