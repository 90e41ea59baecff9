import { type ReactNode, useEffect } from "react";
import { Navigate, useLocation } from "@/lib/address";
import { useSession } from "@/api/session";
import { ErrorState, Spinner } from "@/components";
import { lazyPart } from "@/lib/lazy-part";
import { useIsOnline } from "@/lib/online";
import { requestedPage, returningTo } from "@/lib/requested-page";

const SessionOver = lazyPart(() => import("./session-over"));

function Loading() {
  const { error, refresh } = useSession();
  const isOnline = useIsOnline();
  const hasFailed = Boolean(error);
  useEffect(() => {
    if (hasFailed && isOnline) void refresh();
    // Once per reconnection, not per failure.
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
 * Allows only signed-in users. An expired session shows a message; other visitors go to /auth and return here after
 * signing in.
 */
export function SignedInOnly({ children }: { children: ReactNode }) {
  const { user, end, isLoggedOut } = useSession();
  const location = useLocation();
  if (user === undefined) return <Loading />;
  if (user) return children;
  if (end) return <SessionOver end={end} />;
  return <Navigate to="/auth" replace state={isLoggedOut ? null : returningTo(location)} />;
}

/** Landing and /auth are for visitors; signed-in users go on to the page they requested. */
export function VisitorsOnly({ children }: { children: ReactNode }) {
  const { user } = useSession();
  const { state } = useLocation();
  if (user === undefined) return <Loading />;
  return user ? <Navigate to={requestedPage(state)} replace /> : children;
}
