// Filters of a list that an administrator has saved under a name, in this browser.

import { useState } from "react";

/** `query` is what the address has after the question mark, without the tab. */
export type SavedFilter = { name: string; query: string };
type Stored = Readonly<Record<string, readonly SavedFilter[]>>;

export const NAME_LENGTH = 40;
/** More than these do not fit into a menu. */
export const MOST_FILTERS = 12;
/** What is no filter: the tab itself, and a payment that was checked. */
const NO_FILTERS = new Set(["tab", "payment"]);

const keyOf = (userId: number): string => `glasshouse-admin-filters-${userId}`;

const isFilter = (value: unknown): value is SavedFilter =>
  typeof value === "object" &&
  value !== null &&
  "name" in value &&
  typeof value.name === "string" &&
  value.name !== "" &&
  "query" in value &&
  typeof value.query === "string";

/** What is stored; whatever is broken counts as nothing. */
export function readFilters(text: string | null): Stored {
  try {
    const lists: unknown = JSON.parse(text ?? "{}");
    if (typeof lists !== "object" || lists === null || Array.isArray(lists)) return {};
    return Object.fromEntries(
      Object.entries(lists).map(([list, filters]) => [list, Array.isArray(filters) ? filters.filter(isFilter) : []]),
    );
  } catch {
    return {};
  }
}

/** The filters in an address, in a fixed order, so that equal ones have the same text. */
export function filterText(parameters: URLSearchParams): string {
  const kept = new URLSearchParams([...parameters].filter(([name, value]) => value !== "" && !NO_FILTERS.has(name)));
  kept.sort();
  return kept.toString();
}

/** With this filter, in the place of one with the same name. */
export function withFilter(filters: readonly SavedFilter[], added: SavedFilter): readonly SavedFilter[] {
  const isKnown = filters.some(({ name }) => name === added.name);
  return isKnown ? filters.map((known) => (known.name === added.name ? added : known)) : [...filters, added];
}

function stored(userId: number): Stored {
  try {
    return readFilters(localStorage.getItem(keyOf(userId)));
  } catch {
    return {};
  }
}

/** The saved filters of a list, and how to change them. Without storage they last as long as the list is shown. */
export function useSavedFilters(userId: number, list: string) {
  const [all, setAll] = useState(() => stored(userId));
  function set(filters: readonly SavedFilter[]) {
    // Another tab of the browser may have changed those of other lists.
    const next = { ...all, ...stored(userId), [list]: filters };
    setAll(next);
    try {
      localStorage.setItem(keyOf(userId), JSON.stringify(next));
    } catch {
      // Shown until the page is left.
    }
  }
  const filters = all[list] ?? [];
  return {
    filters,
    save: (added: SavedFilter) => set(withFilter(filters, added)),
    rename: (name: string, to: string) =>
      set(filters.map((known) => (known.name === name ? { ...known, name: to } : known))),
    remove: (name: string) => set(filters.filter((known) => known.name !== name)),
  };
}
