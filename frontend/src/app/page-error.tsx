import { startTransition, useEffect, useRef, useState } from "react";
import type { FallbackProps } from "react-error-boundary";
import { useForgetLoaded } from "@/api/session";
import { Button, ErrorState, PageHeader } from "@/components";
import { isOutdated } from "@/lib/deployment";
import { failuresInARow, PartNotLoadedError, renewParts } from "@/lib/lazy-part";
import { useIsOnline } from "@/lib/online";
import { reloadPage } from "@/lib/reload";

const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 30_000;
/** How often the page is loaded again by itself at most: it does not help if a file is missing for good. */
const RELOAD_EVERY_MS = 60_000;
/** When that was done, in the tab's storage. */
const RELOADED_AT = "reloaded-at";
const ANSWER_LIMIT_MS = 10_000;

/**
 * Replaces a screen that crashed or failed to load. The header, the menu and the links to other screens keep working.
 */
export function PageError({ error, resetErrorBoundary }: FallbackProps) {
  const forgetLoaded = useForgetLoaded();
  // The cached data is cleared because it may have caused the crash.
  function retry() {
    forgetLoaded();
    renewParts();
    // The explanation stays until the screen is there.
    startTransition(resetErrorBoundary);
  }
  return (
    <div className="mx-auto w-full max-w-[1180px] p-4 lg:p-6">
      {error instanceof PartNotLoadedError ? (
        <PartNotLoaded error={error} failures={failuresInARow()} onRetry={retry} />
      ) : (
        <ErrorScreen
          title="Something went wrong"
          description="This screen could not be shown. The rest of Glasshouse still works."
          action="Try Again"
          onAction={retry}
        />
      )}
    </div>
  );
}

/** Shown when even the shell cannot be rendered. */
export function ApplicationError() {
  return (
    <main className="mx-auto max-w-[640px] p-6">
      <ErrorState title="Something went wrong" description="Glasshouse could not be shown." onRetry={reloadPage} />
    </main>
  );
}

/** What has failed, and how often in a row. */
type Failure = { error: PartNotLoadedError; failures: number };

/** Explains why a screen could not be loaded, and retries automatically as soon as that may help. */
function PartNotLoaded({ onRetry, ...failure }: Failure & { onRetry(): void }) {
  const isOnline = useIsOnline();
  const isNewVersion = useRetries(failure, isOnline, onRetry);
  if (isNewVersion) {
    return (
      <ErrorScreen
        title="A new version is available"
        description="This screen belongs to an older version of Glasshouse that is no longer available."
        action="Reload"
        onAction={reloadPage}
      />
    );
  }
  const [title, description]: [string, string] = isOnline
    ? ["This screen could not be loaded", "Glasshouse cannot be reached right now. Retrying automatically."]
    : ["You are offline", "This screen will load when you are back online."];
  return <ErrorScreen title={title} description={description} action="Try Again" onAction={onRetry} />;
}

type ErrorScreenProps = { title: string; description: string; action: string; onAction(): void };

/** Takes the place of the screen's heading. */
function ErrorScreen({ title, description, action, onAction }: ErrorScreenProps) {
  return (
    <div role="alert" className="grid justify-items-start gap-5 py-2">
      <PageHeader title={title} subtitle={description} />
      <Button variant="primary" onClick={onAction}>
        {action}
      </Button>
    </div>
  );
}

/** If the server cannot be reached, no newer version is known. */
async function hasNewerVersion(): Promise<boolean> {
  try {
    return await isOutdated();
  } catch {
    return false;
  }
}

/**
 * Whether loading the page again would help, and takes nothing from the player: the file of the part can be fetched, but
 * not imported. If a file that it imports could once not be loaded, the browser remembers that for as long as the page is
 * open.
 */
async function helpsReloading({ cause }: PartNotLoadedError): Promise<boolean> {
  const [url] = /http\S+/.exec(String(cause)) ?? [];
  const isTooSoon = Date.now() - Number(sessionStorage.getItem(RELOADED_AT)) < RELOAD_EVERY_MS;
  if (url === undefined || isTooSoon || document.querySelector('[role="dialog"]')) return false;
  const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) }).catch(() => null);
  return answer?.ok === true;
}

/** Retries once after each failure. Returns whether only a newer version can help. */
function useRetries({ error, failures }: Failure, isOnline: boolean, onRetry: () => void): boolean {
  const [isNewVersion, setNewVersion] = useState(false);
  const wasOffline = useRef(!isOnline);
  const retry = useRef(onRetry);
  useEffect(() => {
    retry.current = onRetry;
  });
  useEffect(() => {
    if (!isOnline) {
      wasOffline.current = true;
      return undefined;
    }
    let isStopped = false;
    const wait = wasOffline.current ? 0 : Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** (failures - 1));
    wasOffline.current = false;
    const timer = setTimeout(() => {
      void Promise.all([hasNewerVersion(), helpsReloading(error)]).then(([isNewer, isReload]) => {
        if (isStopped) return;
        if (isNewer) setNewVersion(true);
        else if (isReload) {
          sessionStorage.setItem(RELOADED_AT, String(Date.now()));
          reloadPage();
        } else retry.current();
      });
    }, wait);
    return () => {
      isStopped = true;
      clearTimeout(timer);
    };
  }, [error, failures, isOnline]);
  return isNewVersion;
}
