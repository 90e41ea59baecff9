// What a live list says about itself.

import { Button } from "@/components";
import { cn } from "@/lib/class-names";
import { UpdatedAt } from "../lists/list-bar";
import type { LiveList } from "./live-list";
import { useLookedAt } from "./pending-work";

/**
 * When the list was last known to be as it is shown, or a button that shows what has changed since. Each has the same
 * place as the other, so that no row moves under a pointer.
 */
export function LiveUpdatedAt({ loadedAtMs, live }: { loadedAtMs: number | null; live: LiveList }) {
  const lookedAtMs = useLookedAt();
  return (
    <div className="grid items-center justify-items-end *:[grid-area:1/1]">
      {loadedAtMs !== null && (
        <div className={cn(live.isOutdated && "invisible")}>
          <UpdatedAt atMs={Math.max(loadedAtMs, lookedAtMs ?? 0)} />
        </div>
      )}
      <Button size="small" className={cn(!live.isOutdated && "invisible")} onClick={() => void live.show()}>
        Show changes
      </Button>
      <p role="status" className="sr-only">
        {live.isOutdated && "There have been changes since this list was loaded."}
      </p>
    </div>
  );
}
