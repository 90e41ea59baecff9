import { counted } from "@/lib/format";
import { ListNote } from "../lists/list-note";
import { usePendingWork } from "../live/pending-work";

/** Says how many amounts wait to be returned, which are not among the pending requests. */
export function FailedPayments({ show }: { show(): void }) {
  const { data } = usePendingWork();
  const count = data?.failedPayouts ?? 0;
  const failed = `${counted(count, "payment has", "payments have")} failed, and the money is not back on the balance yet.`;
  return <ListNote text={count > 0 ? failed : null} action="Show failed" onAct={show} />;
}
