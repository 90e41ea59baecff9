import { createPortal } from "react-dom";
import { useSession } from "@/api/session";
import { ExcludedBanner, LimitNotice, RealityCheck, SessionStatus, useFreshSummary } from "@/features/session-watch";
import { TIMED_GAMES } from "@/games/registry";
import { useNavigate } from "@/lib/address";
import { useGamesInPlay } from "./providers/running-rounds";
import { useLogOut } from "./use-log-out";

/** What the player's own limits and reminders show on every screen. Loaded when the browser is idle. */
export default function SessionWatch() {
  const { user, refresh } = useSession();
  const { games } = useGamesInPlay();
  const { data: summary, mutate } = useFreshSummary(user?.balance ?? "");
  const navigate = useNavigate();
  const logOut = useLogOut();
  const { excludedUntil } = user ?? {};
  // The header is there before this has been loaded.
  const place = document.querySelector("#session-status");
  return (
    <>
      {place && createPortal(<SessionStatus />, place)}
      {excludedUntil !== undefined && <ExcludedBanner until={excludedUntil} onOver={() => void refresh()} />}
      <LimitNotice onExcluded={() => void refresh()} />
      <RealityCheck
        summary={summary}
        refresh={() => mutate()}
        isRoundRunning={TIMED_GAMES.some((game) => games.has(game))}
        onSeeHistory={() => navigate("/history")}
        onSignOut={() => void logOut()}
      />
    </>
  );
}
