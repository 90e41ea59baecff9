import { useEffect, useState } from "react";
import { fetchSecondFactor, type SecondFactor } from "@/api/second-factor";
import { canUsePasskeys } from "@/lib/passkeys";

/** How a user with a second factor can confirm an action. */
export type Ways = {
  /** Whether there is a passkey that can be used on this page. */
  hasPasskey: boolean;
  /** Whether the codes of an authenticator are taken, and not only recovery codes. */
  hasAuthenticator: boolean;
};

/** Until it is known otherwise, codes of both kinds are taken. */
const CODES: Ways = { hasPasskey: false, hasAuthenticator: true };

export const waysOf = ({ authenticatorSince, passkeys }: SecondFactor, canUse: boolean): Ways => ({
  hasPasskey: canUse && passkeys.length > 0,
  hasAuthenticator: authenticatorSince !== null || passkeys.length === 0,
});

/** The ways of the user, which are fetched once so that they do not change while something is entered. */
export function useConfirmationWays(hasSecondFactor: boolean): Ways | undefined {
  const [ways, setWays] = useState<Ways | undefined>(hasSecondFactor ? undefined : CODES);
  useEffect(() => {
    if (!hasSecondFactor) return undefined;
    let isShown = true;
    async function load() {
      const known = await fetchSecondFactor().then(
        (state) => waysOf(state, canUsePasskeys()),
        () => CODES,
      );
      if (isShown) setWays(known);
    }
    void load();
    return () => {
      isShown = false;
    };
  }, [hasSecondFactor]);
  return ways;
}
