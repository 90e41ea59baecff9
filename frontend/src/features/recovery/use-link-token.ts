import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "@/lib/address";

/**
 * The token of the link that led here. It follows the #, so that no server is told before the user has decided, and it
 * is taken out of the address, so that it does not stay in the history.
 */
export function useLinkToken(): string {
  const { pathname, hash } = useLocation();
  const navigate = useNavigate();
  const [token] = useState(() => hash.slice(1));
  useEffect(() => {
    if (hash !== "") navigate({ pathname }, { replace: true });
  }, [hash, pathname, navigate]);
  return token;
}
