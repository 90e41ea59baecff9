import { act, renderHook } from "@testing-library/react";
import { expect, it } from "vitest";
import { rangeOf, useSelection } from "./selection";

const rows = (...ids: number[]) => ids.map((id) => ({ id }));

it.each([
  [9, 7, [9, 8, 7]],
  [7, 9, [9, 8, 7]],
  [8, 8, [8]],
  [99, 8, [8]],
])("from %i to %i", (from, to, expected) => expect(rangeOf([10, 9, 8, 7], from, to)).toEqual(expected));

it("selects a range, all, and only what can still be selected", () => {
  const { result, rerender } = renderHook(({ selectable }) => useSelection(selectable), {
    initialProps: { selectable: rows(4, 3, 2, 1) },
  });
  const ids = () => result.current.selected.map(({ id }) => id);
  act(() => result.current.toggle(4));
  act(() => result.current.toggle(2, true));
  expect(ids()).toEqual([4, 3, 2]);
  act(() => result.current.toggle(3));
  expect(ids()).toEqual([4, 2]);
  rerender({ selectable: rows(5, 4, 3) });
  expect(ids()).toEqual([4]);
  expect(result.current.isSelected(2)).toBe(false);
  act(() => result.current.selectAll());
  expect(ids()).toEqual([5, 4, 3]);
  act(() => result.current.clear());
  expect(ids()).toEqual([]);
});
