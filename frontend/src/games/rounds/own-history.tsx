import { Suspense } from "react";
import { ErrorBoundary, type FallbackProps } from "react-error-boundary";
import { ErrorState, Skeleton } from "@/components";
import { lazyPart, renewParts } from "@/lib/lazy-part";
import type { OwnHistoryProps } from "./own-history-list";

const OwnHistoryList = lazyPart(() => import("./own-history-list"));

function NotLoaded({ resetErrorBoundary }: FallbackProps) {
  return <ErrorState title="Failed to fetch game history" onRetry={resetErrorBoundary} />;
}

/** The player's own rounds of one game. Its code is loaded when it is first shown. */
export function OwnHistory(props: OwnHistoryProps) {
  return (
    <ErrorBoundary onReset={renewParts} FallbackComponent={NotLoaded}>
      <Suspense fallback={<Skeleton className="h-[240px]" />}>
        <OwnHistoryList {...props} />
      </Suspense>
    </ErrorBoundary>
  );
}
