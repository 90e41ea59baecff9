// The sign-ins since the page was loaded, also those in other tabs, which share the session's cookie.

let count = 0;

export function recordSignIn(): void {
  count += 1;
}

/** Changes with every sign-in: what was asked before one was not asked in its session. */
export const signInCount = (): number => count;
