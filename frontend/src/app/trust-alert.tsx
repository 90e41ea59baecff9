import { Suspense } from "react";
import { ErrorBoundary } from "react-error-boundary";
import { useTrustStatus } from "@/api/trust/status";
import { BesideDialogs } from "@/components/beside-dialogs";
import { lazyPart } from "@/lib/lazy-part";

const TrustMessage = lazyPart(() => import("./trust-message"));

/**
 * Says permanently that something about the house does not hold. It can be closed only after the evidence was saved.
 */
export function TrustAlert() {
  const { failures } = useTrustStatus();
  const [first] = failures;
  return (
    <BesideDialogs>
      {first && (
        <div role="alert">
          <ErrorBoundary
            onError={(error) => console.warn("The evidence cannot be shown", error)}
            fallback={<Short message={first.message} />}
          >
            <Suspense fallback={<Short message={first.message} />}>
              <TrustMessage failures={failures} />
            </Suspense>
          </ErrorBoundary>
        </div>
      )}
    </BesideDialogs>
  );
}

/** While the code for the evidence is missing. */
function Short({ message }: { message: string }) {
  return <p className="border-b-2 border-notice bg-raised px-4 py-3 text-14 text-notice lg:px-6">{message}</p>;
}
