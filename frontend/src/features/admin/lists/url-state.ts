// The panel's state is in the address bar, so that reloading, bookmarks and the back button work.

import { useCallback, useEffect, useState } from "react";
import { useSearchParams } from "@/lib/address";
import { type Tab, TABS } from "../tabs";

type Filters = Readonly<Record<string, string>>;

/** Search starts after typing has paused for this long. */
const SEARCH_DELAY_MS = 300;

/** The tab of that name; the first one if it is unknown. */
export function tabOf(name: string | null): Tab {
  return TABS.find(({ value }) => value === name)?.value ?? "dashboard";
}

export function useAdminView() {
  const [parameters, setParameters] = useSearchParams();
  /** Opens a tab with the given filters. */
  const openTab = useCallback((tab: Tab, filters: Filters = {}) => setParameters({ tab, ...filters }), [setParameters]);
  /** Sets filters of the current tab; an empty value removes one. */
  const setFilters = useCallback(
    (filters: Filters) => {
      // Reads the address instead of the last render, so that two changes in a row are both kept.
      const next = new URLSearchParams(window.location.search);
      for (const [name, value] of Object.entries(filters)) {
        if (value === "") next.delete(name);
        else next.set(name, value);
      }
      setParameters(next, { replace: true });
    },
    [setParameters],
  );
  return {
    tab: tabOf(parameters.get("tab")),
    /** All filters of the tab, as in the address. */
    filters: parameters,
    valueOf: (name: string) => parameters.get(name) ?? "",
    openTab,
    setFilters,
  };
}

/** An option stored in the address bar; an unknown value counts as the first option. */
export function useChoice<V extends string>(name: string, options: readonly { value: V; label: string }[]) {
  const { valueOf, setFilters } = useAdminView();
  const first = options[0]?.value;
  if (first === undefined) throw new Error(`nothing to choose from: ${name}`);
  const value = options.find((option) => option.value === valueOf(name))?.value ?? first;
  return { value, choose: (next: V) => setFilters({ [name]: next === first ? "" : next }) };
}

/** A search text, applied after a short delay. */
export function useSearch(name = "search") {
  const { valueOf, setFilters } = useAdminView();
  const value = valueOf(name);
  const [text, setText] = useState(value);
  const [shownValue, setShownValue] = useState(value);
  // The back button or a link can change the search.
  if (value !== shownValue) {
    setShownValue(value);
    if (value !== text.trim()) setText(value);
  }
  useEffect(() => {
    if (text.trim() === value) return undefined;
    const timer = setTimeout(() => setFilters({ [name]: text.trim() }), SEARCH_DELAY_MS);
    return () => clearTimeout(timer);
  }, [text, value, name, setFilters]);
  return { text, setText, value };
}
