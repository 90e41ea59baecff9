import { LatePart } from "@/components/late-part";
import { lazyPart } from "@/lib/lazy-part";
import type { OwnHistoryProps } from "./own-history-list";

const OwnHistoryList = lazyPart(() => import("./own-history-list"));

/** The player's own rounds of one game. Its code is loaded when it is first shown. */
export function OwnHistory(props: OwnHistoryProps) {
  return (
    <LatePart title="Failed to fetch game history" className="h-[240px]">
      <OwnHistoryList {...props} />
    </LatePart>
  );
}
