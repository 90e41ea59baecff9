import { type ComponentType, Suspense } from "react";
import { ErrorBoundary } from "react-error-boundary";
import { useSession } from "@/api/session";
import { Route, Routes, useLocation } from "@/lib/address";
import { GAME_SCREENS } from "@/games/registry";
import { lazyPart } from "@/lib/lazy-part";
import { SignedInOnly, VisitorsOnly } from "./guards";
import { OfflineBanner } from "./offline-banner";
import { ApplicationError, PageError } from "./page-error";
import { gamePage } from "./routes/game";
import { PageSkeleton, Shell } from "./shell";

type Load = () => Promise<{ default: ComponentType }>;
type Screen = { path: string; Page: ComponentType; For: typeof SignedInOnly };

const Everyone: typeof SignedInOnly = ({ children }) => children;

const screen = (For: typeof SignedInOnly, path: string, load: Load): Screen => ({ path, Page: lazyPart(load), For });
const dashboard: Load = () => import("./routes/dashboard");
const mailLinks: Load = () => import("./routes/mail-links");

/** All paths are also in `routes.json`, from which the server knows which paths exist. */
export const SCREENS: readonly Screen[] = [
  screen(VisitorsOnly, "/", () => import("./routes/landing")),
  screen(VisitorsOnly, "/auth", () => import("./routes/auth")),
  screen(SignedInOnly, "/dashboard", dashboard),
  screen(SignedInOnly, "/dashboard/:game", dashboard),
  ...GAME_SCREENS.map((game) => screen(SignedInOnly, game.path, gamePage(game))),
  screen(SignedInOnly, "/history", () => import("./routes/history")),
  screen(SignedInOnly, "/statistics", () => import("./routes/statistics")),
  screen(SignedInOnly, "/settings", () => import("./routes/settings")),
  screen(SignedInOnly, "/admin", () => import("./routes/admin")),
  screen(SignedInOnly, "/admin/players/:playerId", () => import("./routes/admin-player")),
  screen(SignedInOnly, "/admin/rounds/:roundId", () => import("./routes/admin-round")),
  screen(SignedInOnly, "/admin/payments/:paymentId", () => import("./routes/admin-payment")),
  screen(SignedInOnly, "/admin/withdrawals/:withdrawalId", () => import("./routes/admin-withdrawal")),
  screen(SignedInOnly, "/coming-soon", () => import("./routes/coming-soon")),
  screen(Everyone, "/terms", () => import("./routes/terms")),
  screen(Everyone, "/responsible-gaming", () => import("./routes/responsible-gaming")),
  ...["/forgot-password", "/new-password", "/verify-email"].map((path) => screen(Everyone, path, mailLinks)),
  screen(Everyone, "/transparency", () => import("./routes/transparency")),
];
const NotFound = screen(Everyone, "*", () => import("./routes/not-found"));

/** A screen with its own error boundary: a failure does not affect the rest of the page, and is over with the next navigation. */
function Shown({ Page, For }: Screen) {
  const { key, pathname, search, hash } = useLocation();
  return (
    <For>
      <ErrorBoundary FallbackComponent={PageError} resetKeys={[key, pathname, search, hash]}>
        <Page />
      </ErrorBoundary>
    </For>
  );
}

const EnrolPage = lazyPart(() => import("./routes/enrol"));
const ChoosePasswordPage = lazyPart(() => import("./routes/choose-password"));

/** Every screen, in the frame that all of them share. */
export function Application() {
  const { user } = useSession();
  return (
    <ErrorBoundary FallbackComponent={ApplicationError}>
      <OfflineBanner />
      {user?.mustChangePassword || user?.mustEnrolSecondFactor ? (
        <Suspense fallback={<PageSkeleton />}>
          {user.mustChangePassword ? <ChoosePasswordPage /> : <EnrolPage />}
        </Suspense>
      ) : (
        <Shell>
          <Suspense fallback={<PageSkeleton />}>
            <Routes>
              {[...SCREENS, NotFound].map((shown) => (
                <Route key={shown.path} path={shown.path} element={<Shown {...shown} />} />
              ))}
            </Routes>
          </Suspense>
        </Shell>
      )}
    </ErrorBoundary>
  );
}
