import { ErrorState } from "@/components";

/** A screen that broke says so, instead of leaving the page blank. */
export function PageError() {
  return (
    <main className="mx-auto max-w-[640px] p-6">
      <ErrorState title="Something went wrong" description="This screen could not be shown." onRetry={() => window.location.reload()} />
    </main>
  );
}
