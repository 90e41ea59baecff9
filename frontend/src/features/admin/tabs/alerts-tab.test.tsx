import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ApiError, ConnectionError } from "@/api/client";
import { toast } from "@/components";
import { BrowserRouter } from "@/lib/address";
import { acknowledgeAlert, type AdminAlert } from "../api/admin";
import { type AdminFilter, useAdminList } from "../api/admin-pages";
import AlertsTab from "./alerts-tab";

const session = vi.hoisted(() => ({ id: 1, permissions: [] as string[] }));
vi.mock("@/api/session", () => ({ useUser: () => session }));
vi.mock("@/components", async (original) => ({ ...(await original<object>()), toast: vi.fn() }));
vi.mock("../api/admin", async (original) => ({ ...(await original<object>()), acknowledgeAlert: vi.fn() }));
vi.mock("../api/admin-pages", async (original) => ({ ...(await original<object>()), useAdminList: vi.fn() }));
vi.mock("../live/pending-work", async (original) => ({
  ...(await original<object>()),
  usePendingWork: () => ({ data: undefined }),
  useRefreshPending: () => () => undefined,
}));
const [acknowledge, list, toasted] = [vi.mocked(acknowledgeAlert), vi.mocked(useAdminList), vi.mocked(toast)];

const at = "2026-11-26T12:00:00Z";
const alert = (id: number, more: Partial<AdminAlert> = {}): AdminAlert => ({
  id,
  kind: "review",
  text: `Payment ${id} needs a review (orphan).`,
  user: null,
  roundId: null,
  isCondition: false,
  raisedAt: at,
  resolvedAt: null,
  acknowledgedAt: null,
  acknowledgedBy: null,
  deliveries: [],
  ...more,
});
const acknowledged = (id: number) => alert(id, { acknowledgedAt: at, acknowledgedBy: { id: 1, username: "ann" } });
const delivery: AdminAlert["deliveries"][number] = {
  message: "raised",
  channel: "webhook",
  recipient: null,
  state: "waiting",
  attempts: 2,
  deliveredAt: null,
  problem: "it answered 500",
};
const reload = vi.fn(async () => undefined);
const replace = vi.fn();
const filters: AdminFilter[] = [];

function open(entries: readonly AdminAlert[]) {
  list.mockImplementation((name, filter) => {
    filters.push(filter);
    return {
      list: name,
      query: "",
      loadedAtMs: null,
      entries: [...entries],
      error: undefined,
      isLoadingFirst: false,
      isLoading: false,
      hasMore: false,
      size: 1,
      loadMore: vi.fn(),
      reload,
      replace,
    } as never;
  });
  render(
    <BrowserRouter>
      <AlertsTab />
    </BrowserRouter>,
  );
}
const rowOf = (id: number) => screen.getByRole("button", { name: `Details of alert ${id}` }).closest("tr")!;
async function press(name: string) {
  await act(async () => void fireEvent.click(screen.getByRole("button", { name })));
}

beforeEach(() => {
  vi.stubGlobal("matchMedia", () => ({ matches: true, addEventListener: vi.fn(), removeEventListener: vi.fn() }));
  session.permissions = ["acknowledge_alerts"];
  window.history.replaceState(null, "", "/admin?tab=alerts");
  filters.length = 0;
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.resetAllMocks();
});

it("shows what has happened, what holds, and what became of the messages", async () => {
  const user = { id: 5, username: "alice" };
  open([
    alert(3, { kind: "large_win", user, roundId: 17, text: "alice (#5) has won $196.00.", deliveries: [delivery] }),
    alert(2, { kind: "queue", isCondition: true }),
    alert(1, { kind: "provider_failure", isCondition: true, resolvedAt: at }),
  ]);
  expect(filters[0]).toMatchObject({ acknowledged: "false", kind: undefined });
  const win = within(rowOf(3));
  for (const text of ["Large win", "alice (#5) has won $196.00.", "Happened", "1 waiting"])
    expect(rowOf(3)).toHaveTextContent(text);
  expect(win.getByRole("link", { name: "Round 17" })).toHaveAttribute("href", "/admin/rounds/17");
  expect(win.getByRole("link", { name: /^alice/ })).toHaveAttribute("href", "/admin/players/5");
  expect(win.getByText("1 waiting")).toHaveAttribute("title", "Webhook: waiting; attempt 2: it answered 500");
  expect(rowOf(2)).toHaveTextContent("Holds");
  expect(rowOf(1)).toHaveTextContent("Resolved");
  await press("Details of alert 3");
  expect(screen.getByText("waiting; attempt 2: it answered 500")).toBeVisible();
});

it("acknowledges one at once, and keeps it in its place", async () => {
  acknowledge.mockResolvedValue(acknowledged(2));
  open([alert(2), alert(1)]);
  await press("Acknowledge alert 2");
  await waitFor(() => expect(toasted).toHaveBeenCalled());
  expect(acknowledge).toHaveBeenCalledExactlyOnceWith(2, expect.any(String));
  expect(replace).toHaveBeenCalledExactlyOnceWith(expect.any(Function), acknowledged(2));
  expect(reload).not.toHaveBeenCalled();
  expect(toasted.mock.calls[0]?.[0]).toMatchObject({ description: "1 alert has been acknowledged" });
});

it("acknowledges all that are selected, although somebody else was faster with one", async () => {
  acknowledge.mockImplementation(async (id) => {
    if (id === 2) throw new ApiError(409, "Too late", { code: "already_acknowledged", message: "Too late" });
    return acknowledged(id);
  });
  open([alert(3), alert(2), alert(1), acknowledged(9)]);
  await press("Select all shown");
  expect(screen.getByRole("checkbox", { name: "Select alert 9" })).toBeDisabled();
  await press("Acknowledge selected");
  await waitFor(() => expect(toasted).toHaveBeenCalled());
  expect(acknowledge.mock.calls.map(([id]) => id)).toEqual([3, 2, 1]);
  expect(new Set(acknowledge.mock.calls.map(([, key]) => key)).size).toBe(3);
  expect(reload).toHaveBeenCalledOnce();
  expect(toasted.mock.calls[0]?.[0]).toMatchObject({
    description: "2 alerts have been acknowledged. Too late",
    variant: "destructive",
  });
});

it("sends the same key again after a lost answer", async () => {
  acknowledge.mockRejectedValue(new ConnectionError(new Error("lost")));
  open([alert(2), alert(1)]);
  await press("Acknowledge alert 2");
  await waitFor(() => expect(toasted).toHaveBeenCalled(), { timeout: 4000 });
  acknowledge.mockResolvedValue(acknowledged(2));
  await press("Acknowledge alert 2");
  await waitFor(() => expect(replace).toHaveBeenCalled());
  expect(new Set(acknowledge.mock.calls.map(([, key]) => key)).size).toBe(1);
});

it("offers nothing to whoever may only read", () => {
  session.permissions = [];
  open([alert(2), acknowledged(1)]);
  expect(rowOf(2)).toHaveTextContent("Not yet");
  expect(rowOf(1)).toHaveTextContent("ann");
  expect(screen.queryByRole("checkbox")).toBeNull();
  expect(screen.queryByRole("button", { name: /^Acknowledge|^Select/ })).toBeNull();
});

it("says that nothing waits, and leads to the others", async () => {
  open([]);
  expect(screen.getByText("Nothing waits to be acknowledged")).toBeVisible();
  await press("Show all alerts");
  await waitFor(() => expect(filters.at(-1)).toMatchObject({ acknowledged: undefined }));
  expect(screen.getByText("No alerts")).toBeVisible();
});
