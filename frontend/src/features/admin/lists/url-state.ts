// What is looked at stands in the address bar: a reload, a bookmark and the back button show the same.

import { useCallback, useEffect, useState } from "react";
import { useSearchParams } from "react-router-dom";
import { TABS } from "../tabs";

export type Tab = (typeof TABS)[number]["value"];
type Filters = Readonly<Record<string, string>>;

/** A search waits until a person has stopped typing. */
const SEARCH_DELAY_MS = 300;

/** The tab of that name; the first one where there is none. */
export function tabOf(name: string | null): Tab {
  return TABS.find(({ value }) => value === name)?.value ?? "dashboard";
}

export function useAdminView() {
  const [parameters, setParameters] = useSearchParams();
  /** Opens a tab, narrowed to something or not. */
  const openTab = useCallback((tab: Tab, filters: Filters = {}) => setParameters({ tab, ...filters }), [setParameters]);
  /** Narrows what is shown; an empty value widens it again. */
  const setFilters = useCallback(
    (filters: Filters) => {
      // What was rendered last may be older than the address: of two narrowings, the second keeps the first.
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
    valueOf: (name: string) => parameters.get(name) ?? "",
    openTab,
    setFilters,
  };
}

/** One of a few values of the address bar; what stands there and is none of them counts as the first. */
export function useChoice<V extends string>(name: string, options: readonly { value: V; label: string }[]) {
  const { valueOf, setFilters } = useAdminView();
  const first = options[0]?.value;
  if (first === undefined) throw new Error(`nothing to choose from: ${name}`);
  const value = options.find((option) => option.value === valueOf(name))?.value ?? first;
  return { value, choose: (next: V) => setFilters({ [name]: next === first ? "" : next }) };
}

/** A text that is typed here and searched for a moment later. */
export function useSearch(name = "search") {
  const { valueOf, setFilters } = useAdminView();
  const value = valueOf(name);
  const [text, setText] = useState(value);
  const [shownValue, setShownValue] = useState(value);
  // The back button, or a link to something, changes what is searched for.
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
