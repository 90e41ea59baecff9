import type { ComponentType } from "react";
import type { RouteObject } from "react-router-dom";
import { lazyPart } from "@/lib/lazy-part";
import { SignedInOnly, VisitorsOnly } from "./guards";
import { OfflineBanner } from "./offline-banner";
import { ApplicationError, PageError } from "./page-error";
import { Shell } from "./shell";

type Load = () => Promise<{ default: ComponentType }>;

/** A screen with an error boundary of its own: if it fails, what is around it goes on. */
function screen(path: string, load: Load): RouteObject {
  const Page = lazyPart(load);
  return { ...(path === "/" ? { index: true } : { path }), element: <Page />, errorElement: <PageError /> };
}
const dashboard: Load = () => import("@/pages/DashboardPage");

/** All paths here but the last are also in `routes.json`, by which the server tells what is no page. */
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
        children: [screen("/", () => import("@/pages/LandingPage")), screen("auth", () => import("@/pages/AuthPage"))],
      },
      {
        element: <SignedInOnly />,
        children: [
          screen("dashboard", dashboard),
          screen("dashboard/:game", dashboard),
          screen("dice", () => import("@/pages/DicePage")),
          screen("crash", () => import("@/pages/CrashPage")),
          screen("stonks", () => import("@/pages/StonksPage")),
          screen("poker", () => import("@/pages/PokerPage")),
          screen("history", () => import("@/pages/HistoryPage")),
          screen("admin", () => import("@/pages/AdminPage")),
          screen("coming-soon", () => import("@/pages/ComingSoonPage")),
        ],
      },
      screen("*", () => import("@/pages/NotFoundPage")),
    ],
  },
];
