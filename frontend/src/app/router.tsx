import { type ComponentType, lazy } from "react";
import { createBrowserRouter } from "react-router-dom";
import { SignedInOnly, SignedInOrLost, VisitorsOnly } from "./guards";
import { PageError } from "./page-error";
import { Shell } from "./shell";

const page = (load: () => Promise<{ default: ComponentType }>) => {
  const Page = lazy(load);
  return <Page />;
};
const dashboard = page(() => import("@/pages/DashboardPage"));

export const router = createBrowserRouter([
  {
    element: <Shell />,
    errorElement: <PageError />,
    children: [
      {
        element: <VisitorsOnly />,
        children: [
          { index: true, element: page(() => import("@/pages/LandingPage")) },
          { path: "auth", element: page(() => import("@/pages/AuthPage")) },
        ],
      },
      {
        element: <SignedInOrLost />,
        children: [
          { path: "dashboard", element: dashboard },
          { path: "dashboard/:game", element: dashboard },
        ],
      },
      {
        element: <SignedInOnly />,
        children: [
          { path: "dice", element: page(() => import("@/pages/DicePage")) },
          { path: "crash", element: page(() => import("@/pages/CrashPage")) },
          { path: "stonks", element: page(() => import("@/pages/StonksPage")) },
          { path: "poker", element: page(() => import("@/pages/PokerPage")) },
          { path: "history", element: page(() => import("@/pages/HistoryPage")) },
          { path: "admin", element: page(() => import("@/pages/AdminPage")) },
          { path: "coming-soon", element: page(() => import("@/pages/ComingSoonPage")) },
        ],
      },
      { path: "*", element: page(() => import("@/pages/NotFoundPage")) },
    ],
  },
]);
