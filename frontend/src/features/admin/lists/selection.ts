// The rows of a list that are selected for a decision on all of them.

import { useRef, useState } from "react";
import type { RowSelection } from "./record-table";

/** All keys from one to the other, in the order of the list. */
export function rangeOf(keys: readonly number[], from: number, to: number): readonly number[] {
  const [start, end] = [keys.indexOf(from), keys.indexOf(to)].toSorted((one, other) => one - other);
  return start === undefined || end === undefined || start < 0 ? [to] : keys.slice(start, end + 1);
}

/** The checkboxes of a table; none if no row can be selected. */
export const checkboxesFor = <T extends { id: number }>(
  rows: readonly T[],
  isSelectable: (row: T) => boolean,
  { isSelected, toggle }: Pick<ReturnType<typeof useSelection>, "isSelected" | "toggle">,
): RowSelection<T> | undefined =>
  rows.some(isSelectable)
    ? {
        isSelectable,
        isSelected: ({ id }) => isSelected(id),
        onSelect: ({ id }, isRange) => toggle(id, isRange),
      }
    : undefined;

/** `selectable` are those that can be selected now; others are not selected any more. */
export function useSelection<T extends { id: number }>(selectable: readonly T[]) {
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set());
  const last = useRef<number | null>(null);
  const keys = selectable.map(({ id }) => id);
  const selected = selectable.filter(({ id }) => ids.has(id));
  function toggle(id: number, isRange = false) {
    const chosen = isRange && last.current !== null ? rangeOf(keys, last.current, id) : [id];
    last.current = id;
    const next = new Set(ids);
    const isAdded = !next.has(id);
    for (const key of chosen) {
      if (isAdded) next.add(key);
      else next.delete(key);
    }
    setIds(next);
  }
  return {
    selected,
    isSelected: (id: number) => ids.has(id) && keys.includes(id),
    toggle,
    selectAll: () => setIds(new Set(keys)),
    clear: () => setIds(new Set()),
  };
}
