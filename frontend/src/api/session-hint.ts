// Whether to ask the server who is signed in. The server notes in the page whether the request carried a session
// cookie, which scripts cannot read; this spares visitors a 401.

const NO_COOKIE = "none";

let mayBeSignedIn = document.querySelector<HTMLMetaElement>('meta[name="glasshouse-session"]')?.content !== NO_COOKIE;

export const maySessionExist = (): boolean => mayBeSignedIn;

/** Overrides the page's hint, because the user has signed in since. */
export function recordSignIn(): void {
  mayBeSignedIn = true;
}
