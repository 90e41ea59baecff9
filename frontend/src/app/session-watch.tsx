import { useSession } from "@/api/session";
import { ExcludedBanner, LimitNotice, RealityCheck, TermsBanner, useFreshSummary } from "@/features/session-watch";
import { TIMED_GAMES } from "@/games/registry";
import { useLocation, useNavigate } from "@/lib/address";
import { useGamesInPlay } from "./providers/running-rounds";
import { useLogOut } from "./use-log-out";

/** What the player's own limits and reminders show on every screen. Loaded when the browser is idle. */
export default function SessionWatch() {
  const { user, refresh } = useSession();
  const { games } = useGamesInPlay();
  const { data: summary, mutate } = useFreshSummary(user?.balance ?? "");
  const navigate = useNavigate();
  const logOut = useLogOut();
  const { pathname } = useLocation();
  const { excludedUntil, mustAcceptTerms = false } = user ?? {};
  // They are accepted before a bet or a deposit. In the panel there is neither.
  const isAskedHere = pathname !== "/terms" && !pathname.startsWith("/admin");
  return (
    <>
      {excludedUntil !== undefined && <ExcludedBanner until={excludedUntil} onOver={() => void refresh()} />}
      {mustAcceptTerms && isAskedHere && <TermsBanner />}
      <LimitNotice onExcluded={() => void refresh()} />
      <RealityCheck
        key={user?.id}
        summary={summary}
        refresh={() => mutate()}
        isRoundRunning={TIMED_GAMES.some((game) => games.has(game))}
        onSeeHistory={() => navigate("/history")}
        onSignOut={() => void logOut()}
      />
    </>
  );
}
