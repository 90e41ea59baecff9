import { useEffect } from "react";
import { Navigate, Outlet, useLocation } from "react-router-dom";
import { useSession } from "@/api/session";
import { ErrorState, Spinner } from "@/components";
import { useIsOnline } from "@/lib/online";
import { requestedPage, returningTo } from "@/lib/requested-page";
import { SessionOver } from "./session-over";

function Loading() {
  const { error, refresh } = useSession();
  const isOnline = useIsOnline();
  const hasFailed = Boolean(error);
  useEffect(() => {
    if (hasFailed && isOnline) void refresh();
    // Once for each time that the network comes back, and not for each failure.
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- see above
  }, [isOnline]);
  return (
    <div className="grid min-h-[60dvh] place-content-center">
      {hasFailed ? (
        <ErrorState
          title={isOnline ? "Glasshouse cannot be reached" : "You are offline"}
          onRetry={() => void refresh()}
        />
      ) : (
        <Spinner label="Loading" />
      )}
    </div>
  );
}

/**
 * Lets only signed-in users through. Whose session has ended is told so; others go to /auth, and
 * come back here once they have signed in.
 */
export function SignedInOnly() {
  const { user, end, isLoggedOut } = useSession();
  const location = useLocation();
  if (user === undefined) return <Loading />;
  if (user) return <Outlet />;
  if (end) return <SessionOver end={end} />;
  return <Navigate to="/auth" replace state={isLoggedOut ? null : returningTo(location)} />;
}

/** Landing and /auth are for visitors; who is signed in goes on to the page they asked for. */
export function VisitorsOnly() {
  const { user } = useSession();
  const { state } = useLocation();
  if (user === undefined) return <Loading />;
  return user ? <Navigate to={requestedPage(state)} replace /> : <Outlet />;
}
