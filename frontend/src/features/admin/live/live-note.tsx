// What a live list says about itself.

import { Button } from "@/components";
import { UpdatedAt } from "../lists/list-bar";
import type { LiveList } from "./live-list";
import { useLookedAt } from "./pending-work";

/** When the list was last known to be as it is shown. */
export function LiveUpdatedAt({ loadedAtMs, live }: { loadedAtMs: number | null; live: LiveList }) {
  const lookedAtMs = useLookedAt();
  if (loadedAtMs === null) return null;
  return <UpdatedAt atMs={live.isOutdated ? loadedAtMs : Math.max(loadedAtMs, lookedAtMs ?? 0)} />;
}

/** Says that there are changes, which are shown as soon as no row is pointed at. */
export function ChangesNote({ live }: { live: LiveList }) {
  return (
    <div role="status" className="empty:hidden">
      {live.isOutdated && (
        <p className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded-control bg-raised py-1 pl-4 pr-1 text-14">
          There have been changes since this list was loaded.
          <Button size="small" variant="ghost" onClick={() => void live.show()}>
            Show them
          </Button>
        </p>
      )}
    </div>
  );
}
