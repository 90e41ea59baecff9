import { act, renderHook, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { type Page, usePages } from "./pages";

type Row = { id: number; state: string };

/** A list whose requests are answered when the test says so. */
function setup(name: string) {
  const requests: ((rows: Row[]) => void)[] = [];
  const fetchPage = vi.fn(
    () =>
      new Promise<Page<Row>>((resolve) => {
        requests.push((entries) => resolve({ entries, next: null }));
      }),
  );
  const answer = (...rows: Row[]) => act(async () => requests.shift()?.(rows));
  const open = (filter = "all") =>
    renderHook((props: { filter: string }) => usePages([name, props.filter], fetchPage), { initialProps: { filter } });
  return { fetchPage, requests, answer, open };
}

const FIRST = { id: 1, state: "open" };
const SECOND = { id: 2, state: "open" };

it("is loaded once, and anew when it is opened again, however soon and often it is rendered", async () => {
  const { fetchPage, answer, open } = setup("reopened");
  const first = open();
  expect(first.result.current.isLoadingFirst).toBe(true);
  await answer(FIRST);
  expect(first.result.current.entries).toEqual([FIRST]);
  expect(fetchPage).toHaveBeenCalledTimes(1);
  first.unmount();

  const second = open();
  second.rerender({ filter: "all" });
  expect(second.result.current.entries).toEqual([FIRST]);
  await waitFor(() => expect(fetchPage).toHaveBeenCalledTimes(2));
  await answer(FIRST, SECOND);
  expect(second.result.current.entries).toEqual([FIRST, SECOND]);
});

it("is loaded anew when a filter is chosen again", async () => {
  const { fetchPage, answer, open } = setup("filtered");
  const { result, rerender } = open("all");
  await answer(FIRST);
  rerender({ filter: "closed" });
  await answer();
  expect(result.current.entries).toEqual([]);
  rerender({ filter: "all" });
  await waitFor(() => expect(fetchPage).toHaveBeenCalledTimes(3));
  await answer(FIRST, SECOND);
  expect(result.current.entries).toEqual([FIRST, SECOND]);
});

it("asks again after an entry was replaced while the list was loading", async () => {
  const { fetchPage, requests, answer, open } = setup("replaced");
  const { result } = open();
  await answer(FIRST);
  act(() => void result.current.reload());
  await waitFor(() => expect(requests).toHaveLength(1));
  const closed = { id: 1, state: "closed" };
  await act(async () => result.current.replace(({ id }) => id === 1, closed));
  await waitFor(() => expect(fetchPage).toHaveBeenCalledTimes(3));
  await answer(FIRST);
  expect(result.current.entries).toEqual([closed]);
  await answer(closed, SECOND);
  expect(result.current.entries).toEqual([closed, SECOND]);
});

it("does not ask again after an entry was replaced at any other time", async () => {
  const { fetchPage, answer, open } = setup("settled");
  const { result } = open();
  await answer(FIRST);
  await act(async () => result.current.replace(({ id }) => id === 1, SECOND));
  expect(result.current.entries).toEqual([SECOND]);
  expect(fetchPage).toHaveBeenCalledTimes(1);
});
