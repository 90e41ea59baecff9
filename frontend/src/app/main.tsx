import "@fontsource-variable/bricolage-grotesque/index.css";
import "@fontsource-variable/instrument-sans/index.css";
import "@/styles/main.css";
import { setNonce } from "get-nonce";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createBrowserRouter, RouterProvider } from "react-router-dom";
import { SWRConfig } from "swr";
import { SessionProvider } from "@/api/session";
import { routes } from "./router";

// The dialogs' scroll lock adds a style element, which the page's policy allows by this nonce only.
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce;
if (nonce) setNonce(nonce);

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");

/**
 * Data is loaded again whenever it is shown anew, with what is known until then, and by nothing else. What stays the
 * same while the page is open says so: see FETCH_ONCE.
 */
const DATA_LOADING = {
  refreshInterval: 0,
  revalidateOnFocus: false,
  revalidateOnReconnect: false,
  shouldRetryOnError: false,
} as const;

createRoot(root).render(
  <StrictMode>
    <SWRConfig value={DATA_LOADING}>
      <SessionProvider>
        <RouterProvider router={createBrowserRouter(routes)} />
      </SessionProvider>
    </SWRConfig>
  </StrictMode>,
);
