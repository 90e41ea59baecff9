// The keys that move between the rows of the lists.

import { useHotkeys } from "@/lib/hotkeys";

const ROW = "[data-record]";

/** The key of the record that has the focus, or something in it has; null if none has. */
export const focusedRecord = (): string | null =>
  document.activeElement?.closest<HTMLElement>(ROW)?.dataset.record ?? null;

/** Moves the focus to the next row, or the previous one. False if there is none. */
function moveToRow(step: 1 | -1): boolean {
  const rows = [...document.querySelectorAll<HTMLElement>(`[role=tabpanel] ${ROW}`)];
  const current = rows.findIndex((row) => row.contains(document.activeElement));
  const next = rows[current === -1 ? (step === 1 ? 0 : rows.length - 1) : current + step];
  next?.focus();
  return next !== undefined;
}

/** J and K move between rows, and Enter shows the details of one. */
export function useRowKeys(): void {
  useHotkeys([
    { key: "j", label: "Next row", run: () => moveToRow(1) },
    { key: "k", label: "Previous row", run: () => moveToRow(-1) },
    // The row itself does it.
    { key: "Enter", label: "Show or hide the details of the row", run: () => false },
  ]);
}

/** A key that acts on the row with the focus. `act` gets its record's key, and returns false if it does not apply. */
export const rowKey = (key: string, label: string, act: (record: string) => boolean) => ({
  key,
  label,
  run() {
    const record = focusedRecord();
    return record !== null && act(record);
  },
});

/** For [`rowKey`]: acts on one of the rows, if it is one to which this applies. */
export const onRow =
  <T extends { id: number }>(rows: readonly T[], applies: (row: T) => boolean, act: (row: T) => void) =>
  (record: string): boolean => {
    const row = rows.find(({ id }) => String(id) === record);
    if (row === undefined || !applies(row)) return false;
    act(row);
    return true;
  };
