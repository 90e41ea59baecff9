import { act, renderHook } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { filterText, readFilters, useSavedFilters, withFilter } from "./saved-filters";

afterEach(() => {
  vi.restoreAllMocks();
  localStorage.clear();
});

it.each([
  [null, {}],
  ["", {}],
  ["{", {}],
  ["[]", {}],
  ["null", {}],
  ['{"users":"all"}', { users: [] }],
  [
    '{"users":[{"name":"Banned","query":"status=banned"},{"name":5},null,{"name":"","query":""}]}',
    {
      users: [{ name: "Banned", query: "status=banned" }],
    },
  ],
])("reads %j", (text, expected) => expect(readFilters(text)).toEqual(expected));

it("keeps the filters of an address, but not the tab", () => {
  expect(filterText(new URLSearchParams("tab=users&status=banned&search=a%26b&payment=7&from="))).toBe(
    "search=a%26b&status=banned",
  );
});

it("replaces a filter with the same name", () => {
  const known = [{ name: "A", query: "x=1" }];
  expect(withFilter(known, { name: "A", query: "x=2" })).toEqual([{ name: "A", query: "x=2" }]);
  expect(withFilter(known, { name: "B", query: "" })).toHaveLength(2);
});

it("saves, renames and removes, for each administrator and list", () => {
  const { result } = renderHook(() => useSavedFilters(1, "users"));
  act(() => result.current.save({ name: "Banned", query: "status=banned" }));
  act(() => result.current.rename("Banned", "Sent away"));
  expect(result.current.filters).toEqual([{ name: "Sent away", query: "status=banned" }]);
  expect(renderHook(() => useSavedFilters(1, "users")).result.current.filters).toHaveLength(1);
  expect(renderHook(() => useSavedFilters(2, "users")).result.current.filters).toEqual([]);
  expect(renderHook(() => useSavedFilters(1, "deposits")).result.current.filters).toEqual([]);
  act(() => result.current.remove("Sent away"));
  expect(result.current.filters).toEqual([]);
});

it("works without storage", () => {
  vi.spyOn(Storage.prototype, "getItem").mockImplementation(() => {
    throw new DOMException("blocked");
  });
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("full");
  });
  const { result } = renderHook(() => useSavedFilters(1, "users"));
  act(() => result.current.save({ name: "Banned", query: "status=banned" }));
  expect(result.current.filters).toHaveLength(1);
});
