// The page that somebody asked for before they had to sign in: they are taken there afterwards. It is
// kept in the history's state, which no link from elsewhere can set.

import type { Location } from "react-router-dom";

const DEFAULT_PAGE = "/dashboard";

type Place = Pick<Location, "pathname" | "search" | "hash">;

/** What to hand on to /auth, so that one comes back here. */
export const returningTo = ({ pathname, search, hash }: Place): { from: string } => ({
  from: `${pathname}${search}${hash}`,
});

/** Where to go after signing in: only ever to a page of this site. */
export function requestedPage(state: unknown): string {
  const from = typeof state === "object" && state !== null && "from" in state ? state.from : undefined;
  if (typeof from !== "string" || !from.startsWith("/")) return DEFAULT_PAGE;
  const { origin } = window.location;
  return URL.canParse(from, origin) && new URL(from, origin).origin === origin ? from : DEFAULT_PAGE;
}
