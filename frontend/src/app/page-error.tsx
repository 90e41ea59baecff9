import { useEffect, useRef, useState } from "react";
import { useLocation, useNavigate, useRouteError } from "react-router-dom";
import { useForgetLoaded } from "@/api/session";
import { Button, ErrorState, PageHeader } from "@/components";
import { isOutdated } from "@/lib/deployment";
import { failuresInARow, PartNotLoadedError, renewParts } from "@/lib/lazy-part";
import { useIsOnline } from "@/lib/online";
import { reloadPage } from "@/lib/reload";

const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 30_000;

/**
 * Stands in for a screen that broke or could not be loaded. What is around it goes on: the header,
 * the menu, and the way to the other screens.
 */
export function PageError() {
  const error = useRouteError();
  const navigate = useNavigate();
  const location = useLocation();
  const forgetLoaded = useForgetLoaded();
  // Going to where one is lets the router render the screen again; nothing else of the page is lost.
  // What was loaded may be what broke it.
  function retry() {
    forgetLoaded();
    renewParts();
    void navigate(location, { replace: true, state: location.state });
  }
  return (
    <div className="mx-auto w-full max-w-[1180px] p-4 lg:p-6">
      {error instanceof PartNotLoadedError ? (
        <PartNotLoaded onRetry={retry} />
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

/** Where not even the frame of all screens can be shown. */
export function ApplicationError() {
  return (
    <main className="mx-auto max-w-[640px] p-6">
      <ErrorState title="Something went wrong" description="Glasshouse could not be shown." onRetry={reloadPage} />
    </main>
  );
}

/** Says why a screen could not be loaded, and tries again by itself as soon as that may help. */
function PartNotLoaded({ onRetry }: { onRetry(): void }) {
  const isOnline = useIsOnline();
  const isNewVersion = useRetries(isOnline, onRetry);
  if (isNewVersion) {
    return (
      <ErrorScreen
        title="A new version is available"
        description="This screen belongs to a version of Glasshouse that the server no longer has."
        action="Reload"
        onAction={reloadPage}
      />
    );
  }
  const [title, description]: [string, string] = isOnline
    ? ["This screen could not be loaded", "Glasshouse cannot be reached right now. It is tried again by itself."]
    : ["You are offline", "This screen is loaded as soon as you are connected again."];
  return <ErrorScreen title={title} description={description} action="Try Again" onAction={onRetry} />;
}

type ErrorScreenProps = { title: string; description: string; action: string; onAction(): void };

/** Stands where the screen's own heading would. */
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

/** A server that cannot be asked has no newer version that is known of. */
async function hasNewerVersion(): Promise<boolean> {
  try {
    return await isOutdated();
  } catch {
    return false;
  }
}

/** Answers whether only a newer version can help. */
function useRetries(isOnline: boolean, onRetry: () => void): boolean {
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
    const wait = wasOffline.current ? 0 : Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** (failuresInARow() - 1));
    const timer = setTimeout(() => {
      void hasNewerVersion().then((isNewer) => {
        if (isStopped) return;
        if (isNewer) setNewVersion(true);
        else retry.current();
      });
    }, wait);
    return () => {
      isStopped = true;
      clearTimeout(timer);
    };
  }, [isOnline]);
  return isNewVersion;
}
