import { type ReactNode, Suspense } from "react";
import { ErrorBoundary } from "react-error-boundary";
import { useWasIdle } from "@/lib/idle";
import { renewParts } from "@/lib/lazy-part";
import { toast } from "./toast-store";

type LoadedPartProps = {
  /** Whether it is to be shown now; otherwise it is loaded when the browser is idle. */
  isWanted: boolean;
  onFailed?(): void;
  /** A lazy part that shows nothing while it is closed, such as a dialog. */
  children: ReactNode;
};

/** A part of a page that its first screen can do without. */
export function LoadedPart({ isWanted, onFailed, children }: LoadedPartProps) {
  const wasIdle = useWasIdle();
  if (!isWanted && !wasIdle) return null;
  function handleFailure() {
    renewParts();
    if (!isWanted) return;
    onFailed?.();
    const description = "Glasshouse cannot be reached. Check your connection and try again.";
    toast({ title: "Error", description, variant: "destructive" });
  }
  return (
    <ErrorBoundary fallback={null} resetKeys={[isWanted]} onError={handleFailure}>
      <Suspense>{children}</Suspense>
    </ErrorBoundary>
  );
}
