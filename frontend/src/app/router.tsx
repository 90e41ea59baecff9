import type { ComponentType } from "react";
import type { RouteObject } from "react-router-dom";
import { GAME_SCREENS } from "@/games/registry";
import { lazyPart } from "@/lib/lazy-part";
import { SignedInOnly, VisitorsOnly } from "./guards";
import { OfflineBanner } from "./offline-banner";
import { ApplicationError, PageError } from "./page-error";
import { gamePage } from "./routes/game";
import { Shell } from "./shell";

type Load = () => Promise<{ default: ComponentType }>;

/** A screen with its own error boundary: a failure does not affect the rest of the page. */
function screen(path: string, load: Load): RouteObject {
  const Page = lazyPart(load);
  return { ...(path === "/" ? { index: true } : { path }), element: <Page />, errorElement: <PageError /> };
}
const dashboard: Load = () => import("./routes/dashboard");

/** All paths except the last are also in `routes.json`, from which the server knows which paths exist. */
export const routes: RouteObject[] = [
  {
    element: (
      <>
        <OfflineBanner />
        <Shell />
      </>
    ),
    errorElement: <ApplicationError />,
    children: [
      {
        element: <VisitorsOnly />,
        children: [screen("/", () => import("./routes/landing")), screen("auth", () => import("./routes/auth"))],
      },
      {
        element: <SignedInOnly />,
        children: [
          screen("dashboard", dashboard),
          screen("dashboard/:game", dashboard),
          ...GAME_SCREENS.map((game) => screen(game.path.slice(1), gamePage(game))),
          screen("history", () => import("./routes/history")),
          screen("admin", () => import("./routes/admin")),
          screen("coming-soon", () => import("./routes/coming-soon")),
        ],
      },
      screen("transparency", () => import("./routes/transparency")),
      screen("*", () => import("./routes/not-found")),
    ],
  },
];
