import { useLocation } from "react-router-dom";

/** Which of the poker games is shown: it stands in the address, so that a link leads to either. */
export function usePokerTable(): "video" | "heads-up" {
  return useLocation().hash === "#heads-up" ? "heads-up" : "video";
}
