// The page that was requested before signing in, and that the user is sent to afterwards. It is kept in the history
// state, which links from other sites cannot set.

import type { Location } from "@/lib/address";

const DEFAULT_PAGE = "/dashboard";

type Place = Pick<Location, "pathname" | "search" | "hash">;

/** The navigation state for /auth that leads back to this page. */
export const returningTo = ({ pathname, search, hash }: Place): { from: string } => ({
  from: `${pathname}${search}${hash}`,
});

/** Where to go after signing in: always a page of this site. */
export function requestedPage(state: unknown): string {
  const from = typeof state === "object" && state !== null && "from" in state ? state.from : undefined;
  if (typeof from !== "string" || !from.startsWith("/")) return DEFAULT_PAGE;
  const { origin } = window.location;
  return URL.canParse(from, origin) && new URL(from, origin).origin === origin ? from : DEFAULT_PAGE;
}
