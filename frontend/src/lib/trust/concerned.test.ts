import { expect, it } from "vitest";
import { houseWith, pairText, roundText, PAIR } from "@/test-support/trust";
import { namedRounds, withReceipts } from "./concerned";
import { TrustStore } from "./store";
import { MemoryDatabase } from "./tables";

it("names rounds", () => {
  expect(namedRounds([7])).toBe("round 7");
  expect(namedRounds([7, 8])).toBe("rounds 7 and 8");
  expect(namedRounds([7, 8, 9])).toBe("rounds 7, 8 and 9");
  expect(namedRounds(Array.from({ length: 30 }, (_, index) => index))).toBe(
    "rounds 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 20 more",
  );
});

it("adds the receipts of the round, or of the pair and its rounds, to the evidence", async () => {
  const house = await houseWith();
  const store = new TrustStore(7, new MemoryDatabase());
  const texts = [
    pairText({ subject: `pair ${PAIR}` }),
    roundText(1),
    roundText(2),
    roundText(3, { pair: `${"9".repeat(64)} nonce 0` }),
  ];
  const receipts = await house.receipts(texts);
  for (const wire of receipts)
    await store.rememberReceipt(/^subject (.*)$/m.exec(wire.text)?.[1] ?? "", "settled", wire);
  const failure = {
    kind: "next_hash_changed",
    subject: PAIR,
    message: "It changed.",
    evidence: { shownNow: 1 },
  } as const;
  expect(await withReceipts(store, failure)).toEqual({
    ...failure,
    message: "It changed. It concerns rounds 1 and 2.",
    evidence: { shownNow: 1, receipts: receipts.slice(0, 3) },
  });
  const ofRound = { ...failure, subject: "round 3" };
  expect(await withReceipts(store, ofRound)).toEqual({
    ...ofRound,
    evidence: { shownNow: 1, receipts: [receipts[3]] },
  });
  const ofLog = { ...failure, subject: "checkpoint" };
  expect(await withReceipts(store, ofLog)).toEqual(ofLog);
});
