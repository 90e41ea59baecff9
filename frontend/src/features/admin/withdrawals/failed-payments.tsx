import { Button } from "@/components";
import { counted } from "@/lib/format";
import { usePendingWork } from "../live/pending-work";

/** Says how many amounts wait to be returned, which are not among the pending requests. */
export function FailedPayments({ show }: { show(): void }) {
  const { data } = usePendingWork();
  const count = data?.failedPayouts ?? 0;
  return (
    <div role="status" className="empty:hidden">
      {count > 0 && (
        <p className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded-control bg-raised py-1 pl-4 pr-1 text-14">
          {counted(count, "payment has", "payments have")} failed, and the money is not back on the balance yet.
          <Button size="small" variant="ghost" onClick={show}>
            Show failed
          </Button>
        </p>
      )}
    </div>
  );
}
