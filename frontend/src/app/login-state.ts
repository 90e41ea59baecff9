import { useLocation } from "react-router-dom";
import { useSession } from "@/api/session";
import { returningTo } from "@/lib/requested-page";

/**
 * What a link to /auth hands on from wherever it stands: whose session has ended comes back to the page
 * that it ended on, and on /auth itself what was asked for before stays so.
 */
export function useLoginState(): unknown {
  const { end } = useSession();
  const location = useLocation();
  if (location.pathname === "/auth") return location.state;
  return end ? returningTo(location) : null;
}
