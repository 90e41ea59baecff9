// Whether to ask the server who is signed in. The server notes in the page whether the request carried a session
// cookie, which scripts cannot read; this spares visitors a 401.

import { signInCount } from "./sign-ins";

const NO_COOKIE = "none";

const hadCookie = document.querySelector<HTMLMetaElement>('meta[name="glasshouse-session"]')?.content !== NO_COOKIE;

export const maySessionExist = (): boolean => hadCookie || signInCount() > 0;
