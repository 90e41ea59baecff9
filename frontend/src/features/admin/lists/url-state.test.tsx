import { act, cleanup, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { BrowserRouter, useLocation } from "@/lib/address";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { tabOf, useAdminView, useChoice, useSearch } from "./url-state";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const STATUSES = [
  { value: "pending", label: "Pending" },
  { value: "all", label: "All" },
] as const;

const useAll = () => ({
  view: useAdminView(),
  search: useSearch(),
  status: useChoice("status", STATUSES),
  address: useLocation().search,
});

const wrapper = ({ children }: { children: ReactNode }) => <BrowserRouter>{children}</BrowserRouter>;

function setup(address: string) {
  window.history.replaceState(null, "", address);
  const { result } = renderHook(useAll, { wrapper });
  return () => result.current;
}

it("knows its tabs", () => {
  expect(tabOf("payments")).toBe("payments");
  expect(tabOf(null)).toBe("dashboard");
  expect(tabOf("no such tab")).toBe("dashboard");
});

it("restores its state after a reload", () => {
  const state = setup("/admin?tab=withdrawals&search=alice&status=all");
  expect(state().view.tab).toBe("withdrawals");
  expect(state().search).toMatchObject({ text: "alice", value: "alice" });
  expect(state().status.value).toBe("all");
});

it("treats an unknown value as the first option", () => {
  expect(setup("/admin?status=nonsense")().status.value).toBe("pending");
});

it("searches once typing has stopped, and keeps the other parameters", () => {
  const state = setup("/admin?tab=users&status=all");
  act(() => state().search.setText("al"));
  act(() => vi.advanceTimersByTime(200));
  act(() => state().search.setText("alice "));
  act(() => vi.advanceTimersByTime(299));
  expect(state().search.value).toBe("");
  act(() => vi.advanceTimersByTime(1));
  expect(state().search).toMatchObject({ text: "alice ", value: "alice" });
  expect(state().address).toBe("?tab=users&status=all&search=alice");
  act(() => state().search.setText(""));
  act(() => vi.advanceTimersByTime(300));
  expect(state().address).toBe("?tab=users&status=all");
});

it("keeps an option selected while a search is pending", () => {
  const state = setup("/admin?tab=withdrawals");
  act(() => {
    const shown = state();
    shown.status.choose("all");
    shown.view.setFilters({ search: "alice" });
  });
  expect(state().address).toBe("?tab=withdrawals&status=all&search=alice");
});

it("omits the first option from the address", () => {
  const state = setup("/admin?tab=withdrawals&status=all");
  act(() => state().status.choose("pending"));
  expect(state().address).toBe("?tab=withdrawals");
  act(() => state().status.choose("all"));
  expect(state().address).toBe("?tab=withdrawals&status=all");
});

it("drops the search when another tab is opened, and applies the search of a link", () => {
  const state = setup("/admin?tab=withdrawals&search=alice");
  act(() => state().view.openTab("deposits"));
  expect(state().address).toBe("?tab=deposits");
  expect(state().search.text).toBe("");
  act(() => state().view.openTab("users", { search: "7" }));
  expect(state().search).toMatchObject({ text: "7", value: "7" });
});
