// What may be removed of the second factor, and what a change of it means.

import type { Passkey, SecondFactor } from "@/api/second-factor";
import { counted } from "@/lib/format";

/** As many passkeys as a user may have. */
export const MAXIMUM_PASSKEYS = 20;

/** What is removed: the authenticator or a passkey. */
export type Part = "authenticator" | Passkey;

const countOf = ({ authenticatorSince, passkeys }: SecondFactor): number =>
  passkeys.length + (authenticatorSince === null ? 0 : 1);

export const hasSecondFactor = (state: SecondFactor): boolean => countOf(state) > 0;

/** Whether the password alone signs in once one more is removed. */
export const isLast = (state: SecondFactor): boolean => countOf(state) <= 1;

/** An administrator keeps one. */
export const mayRemove = (state: SecondFactor): boolean => !(state.isMandatory && isLast(state));

/** What a change of the second factor means for withdrawals. */
export const delayText = (hours: number): string =>
  hours > 0 ? ` Withdrawals that you request within ${counted(hours, "hour")} afterwards are delayed.` : "";

/** What the removal means, before it is confirmed. */
export function removalText(state: SecondFactor, part: Part, delayHours: number): string {
  const isPasskey = part !== "authenticator";
  const consequence = isLast(state)
    ? "Your password alone then signs you in, and the recovery codes are no longer valid."
    : isPasskey
      ? "It then no longer signs you in. Delete it on your device, too."
      : "Its codes are then no longer valid. Your passkeys and the recovery codes stay.";
  const ending = isPasskey ? " All your other sessions end." : "";
  return `${consequence}${ending}${delayText(delayHours)}`;
}

/** What is left after the removal. */
export function removedText(state: SecondFactor, part: Part): string {
  if (isLast(state)) return "Your password alone signs you in again.";
  return part === "authenticator" ? "Your passkeys stay." : `${part.name} no longer signs you in.`;
}
