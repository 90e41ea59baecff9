import { expect, it } from "vitest";
import type { Passkey, SecondFactor } from "@/api/second-factor";
import { hasSecondFactor, mayRemove, removalText, removedText } from "./second-factor-texts";

const passkey = (id: string): Passkey => ({
  id,
  name: `Key ${id}`,
  createdAt: "2026-11-25T10:00:00Z",
  lastUsedAt: null,
});
const state = (keys: number, hasAuthenticator: boolean, isMandatory = false): SecondFactor => ({
  authenticatorSince: hasAuthenticator ? "2026-11-25T10:00:00Z" : null,
  passkeys: Array.from({ length: keys }, (_, index) => passkey(String(index))),
  recoveryCodesLeft: 10,
  isMandatory,
});

it("an administrator keeps one second factor of either kind", () => {
  expect(mayRemove(state(1, false, true))).toBe(false);
  expect(mayRemove(state(0, true, true))).toBe(false);
  expect(mayRemove(state(1, true, true))).toBe(true);
  expect(mayRemove(state(2, false, true))).toBe(true);
  expect(mayRemove(state(1, false))).toBe(true);
});

it("a user without either kind has no second factor", () => {
  expect(hasSecondFactor(state(0, false))).toBe(false);
  expect(hasSecondFactor(state(1, false))).toBe(true);
  expect(hasSecondFactor(state(0, true))).toBe(true);
});

it("a removal says what is left", () => {
  const last = "Your password alone then signs you in, and the recovery codes are no longer valid.";
  expect(removalText(state(0, true), "authenticator", 0)).toBe(last);
  expect(removalText(state(1, false), passkey("0"), 24)).toBe(
    `${last} All your other sessions end. Withdrawals that you request within 24 hours afterwards are delayed.`,
  );
  expect(removalText(state(1, true), "authenticator", 0)).toContain("Your passkeys and the recovery codes stay.");
  expect(removalText(state(1, true), passkey("0"), 0)).toBe(
    "It then no longer signs you in. Delete it on your device, too. All your other sessions end.",
  );
  expect(removedText(state(1, false), passkey("0"))).toBe("Your password alone signs you in again.");
  expect(removedText(state(2, false), passkey("0"))).toBe("Key 0 no longer signs you in.");
  expect(removedText(state(1, true), "authenticator")).toBe("Your passkeys stay.");
});
