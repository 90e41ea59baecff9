// Keeps a list up to date while it is shown, without disturbing whoever works in it.

import { useCallback, useEffect, useRef, useState } from "react";

/** What shows that a list has changed: how many wait, the newest entry, and what else is known. */
export type Signal = { count: number; newestId: number; others?: string };

/** After an act of one's own the rows stay in place for a while, so that the next one can be dealt with. */
export const HOLD_MS = 30_000;

type LiveListOptions = {
  /** Undefined until it is known. */
  signal: Signal | undefined;
  reload(): Promise<void>;
  /** Whether a dialog is open or rows are selected: then the list waits. */
  isBusy: boolean;
};

/** Whether a mouse is on an element, and what makes that known. */
export function usePointedAt() {
  const [isPointedAt, setPointedAt] = useState(false);
  return {
    isPointedAt,
    /** For the element. */
    area: {
      // A finger does not rest on a row.
      onPointerEnter: ({ pointerType }: { pointerType: string }) => setPointedAt(pointerType === "mouse"),
      onPointerLeave: () => setPointedAt(false),
    },
  };
}

/**
 * Reloads the list when its signal changes. While rows could move away under a pointer, or somebody is in the middle of
 * something, it waits, and `isOutdated` says so.
 */
export function useLiveList({ signal, reload, isBusy }: LiveListOptions) {
  /** How many changes there have been, and how many of them are shown. */
  const [changes, setChanges] = useState(0);
  const [shown, setShown] = useState(0);
  const { isPointedAt, area } = usePointedAt();
  const seen = useRef<Signal | undefined>(undefined);
  /** Own acts since then. Of a change that is due to them alone, the list has shown all. */
  const own = useRef({ acts: 0, decisions: 0 });
  const { count, newestId, others = "" } = signal ?? {};
  useEffect(() => {
    if (count === undefined || newestId === undefined) return;
    const before = seen.current;
    seen.current = { count, newestId, others };
    const hasChanged = before?.count !== count || before.newestId !== newestId || before.others !== others;
    if (before === undefined || !hasChanged) return;
    const { acts, decisions } = own.current;
    own.current = { acts: 0, decisions: 0 };
    const isOwn = acts > 0 && before.count - count === decisions && newestId === before.newestId;
    if (!isOwn) setChanges((known) => known + 1);
  }, [count, newestId, others]);

  const show = useCallback(async () => {
    await reload();
    setShown(changes);
  }, [reload, changes]);
  const isOutdated = changes > shown;
  const [isHeld, setHeld] = useState(false);
  const hold = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(hold.current), []);
  const isFree = !isBusy && !isPointedAt && !isHeld;
  useEffect(() => {
    if (isOutdated && isFree) void reload().then(() => setShown(changes));
  }, [isOutdated, isFree, reload, changes]);

  return {
    /** There are changes that are not shown yet. */
    isOutdated: isOutdated && !isFree,
    show,
    /** After an act of one's own; `isDecision` if one less waits. */
    noteAct: useCallback((isDecision = true) => {
      own.current.acts += 1;
      if (isDecision) own.current.decisions += 1;
      setHeld(true);
      clearTimeout(hold.current);
      hold.current = setTimeout(() => setHeld(false), HOLD_MS);
    }, []),
    /** For the element around the rows. */
    area,
  };
}

export type LiveList = ReturnType<typeof useLiveList>;
