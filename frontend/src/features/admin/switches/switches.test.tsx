import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { SWRConfig } from "swr";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ApiError } from "@/api/client";
import { toast } from "@/components";
import type { AdminUser } from "../api/admin";
import { fetchSwitches, type HouseSwitch, setRestriction, setSwitch } from "./api";
import { HouseSwitches } from "./house-switches";
import { RestrictionBadges } from "./restriction-badges";
import { RestrictionDialog } from "./restriction-dialog";

const session = vi.hoisted(() => ({ permissions: [] as string[] }));
vi.mock("./api", () => ({ fetchSwitches: vi.fn(), setSwitch: vi.fn(), setRestriction: vi.fn() }));
vi.mock("@/api/session", () => ({ useUser: () => session }));
vi.mock("@/components", async (original) => ({ ...(await original<object>()), toast: vi.fn() }));
const [fetched, set, restrict] = [vi.mocked(fetchSwitches), vi.mocked(setSwitch), vi.mocked(setRestriction)];

const running = (name: HouseSwitch["name"]): HouseSwitch => ({
  name,
  isOn: name !== "maintenance",
  isStopping: false,
  reason: null,
  changedAt: null,
  changedBy: null,
});
const NAMES = ["deposits", "maintenance", "registration", "withdrawals"] as const;
const stopped: HouseSwitch = {
  ...running("deposits"),
  isOn: false,
  isStopping: true,
  reason: "The provider is down",
  changedAt: new Date().toISOString(),
  changedBy: { id: 1, username: "nora" },
};
const user = { id: 7, username: "lena", bettingBlockReason: null, withdrawingBlockReason: null } as AdminUser;
const [onDone, onCancel, onConflict, onUnsure] = [vi.fn(), vi.fn(), vi.fn(), vi.fn()];

/** Until the button that has just appeared accepts presses. */
const armed = (name: string) => waitFor(() => expect(screen.getByRole("button", { name })).toBeEnabled());
const press = async (name: string) => {
  await armed(name);
  await act(async () => void fireEvent.click(screen.getByRole("button", { name })));
};
const giveReason = (value: string) => fireEvent.change(screen.getByLabelText("Reason"), { target: { value } });

function openPanel(switches: HouseSwitch[]) {
  fetched.mockResolvedValue(switches);
  render(
    <SWRConfig value={{ provider: () => new Map() }}>
      <HouseSwitches />
    </SWRConfig>,
  );
}

beforeEach(() => {
  vi.stubGlobal("matchMedia", () => ({ matches: true }));
  session.permissions = ["stop_house", "resume_house", "block_betting", "block_withdrawing"];
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.resetAllMocks();
});

it("stops deposits with a reason that players are shown", async () => {
  openPanel(NAMES.map(running));
  const items = await screen.findAllByRole("listitem");
  expect(items.map((item) => item.querySelector(".font-semibold")?.textContent)).toEqual([
    "Maintenance",
    "Deposits",
    "Withdrawals",
    "Registration",
  ]);
  fireEvent.click(screen.getByRole("button", { name: "Set Deposits to Paused" }));
  expect(await screen.findByText("Players are shown it.")).toBeVisible();
  await press("Set to Paused");
  expect(set).not.toHaveBeenCalled();
  expect(screen.getByLabelText("Reason")).toHaveAttribute("aria-invalid", "true");
  set.mockResolvedValue([stopped, ...NAMES.slice(1).map(running)]);
  giveReason("  The provider is down ");
  await press("Set to Paused");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(set).toHaveBeenCalledExactlyOnceWith(
    "deposits",
    { isOn: false, reason: "The provider is down" },
    expect.any(String),
  );
  expect(screen.getByText("The provider is down")).toBeVisible();
  expect(screen.getByText(/Set by nora/)).toBeVisible();
});

it("changes only the reason, and resumes", async () => {
  openPanel([stopped]);
  set.mockResolvedValue([stopped]);
  fireEvent.click(await screen.findByRole("button", { name: "Change the reason for Deposits" }));
  giveReason("Back at noon");
  await press("Change Reason");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(set).toHaveBeenLastCalledWith("deposits", { isOn: false, reason: "Back at noon" }, expect.any(String));
  fireEvent.click(screen.getByRole("button", { name: "Set Deposits to Running" }));
  giveReason("It is up again");
  await press("Set to Running");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(set).toHaveBeenLastCalledWith("deposits", { isOn: true, reason: "It is up again" }, expect.any(String));
});

it("offers each role what it may do, and says what only owners do", async () => {
  session.permissions = ["stop_house"];
  openPanel([stopped, running("withdrawals")]);
  expect(await screen.findByText("Only owners can resume it.")).toBeVisible();
  expect(screen.queryByRole("button", { name: "Set Deposits to Running" })).toBeNull();
  expect(screen.getByRole("button", { name: "Set Withdrawals to Paused" })).toBeVisible();
  cleanup();
  session.permissions = [];
  openPanel([stopped]);
  expect(await screen.findByText("Paused")).toBeVisible();
  expect(screen.queryByRole("button", { name: /^(Set|Change)/ })).toBeNull();
});

it("offers to load the switches again after a failure", async () => {
  fetched.mockRejectedValueOnce(new ApiError(500, "Something went wrong", { code: "fault" }));
  render(
    <SWRConfig value={{ provider: () => new Map(), shouldRetryOnError: false }}>
      <HouseSwitches />
    </SWRConfig>,
  );
  expect(await screen.findByText("Failed to load the switches")).toBeVisible();
});

it("blocks and unblocks a player with a reason", async () => {
  restrict.mockResolvedValue({ ...user, withdrawingBlockReason: "stolen card" });
  render(<RestrictionDialog user={user} {...{ onDone, onCancel, onConflict, onUnsure }} />);
  fireEvent.click(screen.getByRole("radio", { name: "Withdrawing" }));
  await press("Block Withdrawing");
  expect(toast).toHaveBeenLastCalledWith(expect.objectContaining({ variant: "destructive" }));
  giveReason("stolen card");
  await press("Block Withdrawing");
  await waitFor(() => expect(onDone).toHaveBeenCalledOnce());
  expect(restrict).toHaveBeenCalledExactlyOnceWith(
    7,
    { restriction: "withdrawing", isBlocked: true, reason: "stolen card" },
    expect.any(String),
  );
  cleanup();
  // Whoever may only block withdrawing is not offered a choice.
  session.permissions = ["block_withdrawing"];
  const blocked = { ...user, withdrawingBlockReason: "stolen card" };
  render(<RestrictionDialog user={blocked} {...{ onDone, onCancel, onConflict, onUnsure }} />);
  expect(screen.queryByRole("radio")).toBeNull();
  expect(screen.getByText("blocked: stolen card")).toBeVisible();
  giveReason("cleared up");
  await press("Unblock Withdrawing");
  await waitFor(() => expect(onDone).toHaveBeenCalledTimes(2));
  expect(restrict).toHaveBeenLastCalledWith(
    7,
    { restriction: "withdrawing", isBlocked: false, reason: "cleared up" },
    expect.any(String),
  );
});

it("shows on the user's row what is blocked, and why", () => {
  const { container } = render(<RestrictionBadges user={{ ...user, bettingBlockReason: "a bot" }} />);
  expect(container).toHaveTextContent("No betting");
  expect(screen.getByTitle("a bot")).toHaveTextContent("No betting");
  expect(container).not.toHaveTextContent("No withdrawing");
});
