import "@fontsource-variable/bricolage-grotesque/index.css";
import "@fontsource-variable/instrument-sans/index.css";
import "virtual:font-fallbacks.css";
import "@/styles/main.css";
import { setNonce } from "get-nonce";
import { StrictMode, startTransition } from "react";
import { createRoot } from "react-dom/client";
import { SWRConfig } from "swr";
import { SessionProvider } from "@/api/session";
import { whenIdle } from "@/lib/idle";
import { installWorker } from "@/lib/install-worker";
import { Application } from "./router";

// The dialogs' scroll lock adds a style element, which the content security policy only allows with this nonce.
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce;
if (nonce) setNonce(nonce);

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");

/**
 * Data is revalidated when a component that shows it mounts, and at no other time; stale data is shown until then. For
 * data that does not change while the page is open see FETCH_ONCE.
 */
const DATA_LOADING = {
  refreshInterval: 0,
  revalidateOnFocus: false,
  revalidateOnReconnect: false,
  shouldRetryOnError: false,
} as const;

// As a transition it is rendered in slices, so that a slow phone reacts to touches in between.
startTransition(() =>
  createRoot(root).render(
    <StrictMode>
      <SWRConfig value={DATA_LOADING}>
        <SessionProvider>
          <Application />
        </SessionProvider>
      </SWRConfig>
    </StrictMode>,
  ),
);

window.addEventListener("load", () => whenIdle(installWorker));
