// What a live list says about itself.

import { UpdatedAt } from "../lists/list-bar";
import { ListNote } from "../lists/list-note";
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
  const text = live.isOutdated ? "There have been changes since this list was loaded." : null;
  return <ListNote text={text} action="Show them" onAct={() => void live.show()} />;
}
