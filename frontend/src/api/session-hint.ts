// Whether it is worth asking who is signed in. The server writes into the page whether the request
// for it came with a session's cookie, which scripts cannot see: a visitor's page need not be told
// by a 401 that nobody is signed in.

const NO_COOKIE = "none";

let mayBeSignedIn = document.querySelector<HTMLMetaElement>('meta[name="glasshouse-session"]')?.content !== NO_COOKIE;

/** Whether a session may exist. */
export const maySessionExist = (): boolean => mayBeSignedIn;

/** What the page says is outdated: somebody has signed in since. */
export function recordSignIn(): void {
  mayBeSignedIn = true;
}
