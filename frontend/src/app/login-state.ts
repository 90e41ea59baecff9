import { useLocation } from "@/lib/address";
import { useSession } from "@/api/session";
import { returningTo } from "@/lib/requested-page";

/**
 * The navigation state for links to /auth: the page to return to. On /auth itself the page requested earlier is kept.
 */
export function useLoginState(): unknown {
  const { end } = useSession();
  const location = useLocation();
  if (location.pathname === "/auth") return location.state;
  return end ? returningTo(location) : null;
}
