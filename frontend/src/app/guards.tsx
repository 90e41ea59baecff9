import { Navigate, Outlet } from "react-router-dom";
import { useSession } from "@/api/session";
import { ErrorState, Spinner } from "@/components";

function Loading() {
  const { error, refresh } = useSession();
  return (
    <div className="grid min-h-[60dvh] place-content-center">
      {error ? <ErrorState title="Glasshouse cannot be reached" onRetry={() => void refresh()} /> : <Spinner label="Loading" />}
    </div>
  );
}

/** Lets only signed-in users through; others go to /auth. */
export function SignedInOnly() {
  const { user } = useSession();
  if (user === undefined) return <Loading />;
  return user === null ? <Navigate to="/auth" replace /> : <Outlet />;
}

/** The dashboard says itself that a session was lost; who never had one goes to /auth. */
export function SignedInOrLost() {
  const { user, wasSignedIn } = useSession();
  if (user === undefined) return <Loading />;
  return user === null && !wasSignedIn ? <Navigate to="/auth" replace /> : <Outlet />;
}

/** Landing and /auth are for visitors; who is signed in goes to the dashboard. */
export function VisitorsOnly() {
  const { user } = useSession();
  if (user === undefined) return <Loading />;
  return user ? <Navigate to="/dashboard" replace /> : <Outlet />;
}
