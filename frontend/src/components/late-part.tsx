import { type ReactNode, Suspense } from "react";
import { ErrorBoundary, type FallbackProps } from "react-error-boundary";
import { renewParts } from "@/lib/lazy-part";
import { Skeleton } from "./spinner";
import { ErrorState } from "./states";

type LatePartProps = {
  /** Said if its code cannot be loaded. */
  title: string;
  /** How high it is until its code is there. */
  className: string;
  children: ReactNode;
};

const notLoaded =
  (title: string) =>
  ({ resetErrorBoundary }: FallbackProps) => <ErrorState title={title} onRetry={resetErrorBoundary} />;

/** A part of a game's page whose code is loaded when it is first shown. The game stays if that fails. */
export function LatePart({ title, className, children }: LatePartProps) {
  return (
    <ErrorBoundary onReset={renewParts} fallbackRender={notLoaded(title)}>
      <Suspense fallback={<Skeleton className={className} />}>{children}</Suspense>
    </ErrorBoundary>
  );
}
