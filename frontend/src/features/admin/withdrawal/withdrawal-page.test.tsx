import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { SWRConfig } from "swr";
import { afterEach, expect, it, vi } from "vitest";
import { ApiError } from "@/api/client";
import { BrowserRouter } from "@/lib/address";
import { ANN, minute, proposal, withdrawal, withdrawalPage } from "@/test-support/admin-money";
import { fetchWithdrawal, type Outcome, type AdminWithdrawal, processWithdrawal } from "../api/admin";
import { WithdrawalPage } from "./withdrawal-page";

vi.mock("@/api/session", () => ({ useUser: () => ({ id: ANN.id, permissions: ["decide_withdrawals"] }) }));
vi.mock("../api/admin", async (original) => ({
  ...(await original<object>()),
  fetchApproval: vi.fn(async () => undefined),
  fetchWithdrawal: vi.fn(),
  processWithdrawal: vi.fn(),
}));
const [fetched, processed] = [vi.mocked(fetchWithdrawal), vi.mocked(processWithdrawal)];
const APPROVED = withdrawal({ status: "approved", decidedAt: minute(1), decidedBy: ANN });

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.resetAllMocks();
});

/** Approves the pending request. The page is read again as `again` says. */
async function approve(
  outcome: Outcome<AdminWithdrawal> | ApiError,
  again: () => Promise<ReturnType<typeof withdrawalPage>>,
) {
  vi.stubGlobal("matchMedia", () => ({ matches: true }));
  fetched.mockImplementation(async () => withdrawalPage());
  processed.mockImplementation(async () => {
    fetched.mockImplementation(again);
    if (outcome instanceof ApiError) throw outcome;
    return outcome;
  });
  render(
    <SWRConfig value={{ provider: () => new Map(), shouldRetryOnError: false }}>
      <BrowserRouter>
        <WithdrawalPage withdrawalId="17" />
      </BrowserRouter>
    </SWRConfig>,
  );
  const opener = await screen.findByRole("button", { name: "Approve" });
  opener.focus();
  fireEvent.click(opener);
  await waitFor(() => expect(screen.getByRole("button", { name: "Approve Withdrawal" })).toBeEnabled());
  await act(async () => void fireEvent.click(screen.getByRole("button", { name: "Approve Withdrawal" })));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
}
const standing = () => screen.getByRole("group", { name: "Status" });

it("after an approval the focus is on how the request stands now", async () => {
  await approve({ done: APPROVED }, async () => withdrawalPage({ request: APPROVED }));
  await waitFor(() => expect(standing()).toHaveFocus());
  expect(standing()).toHaveTextContent("Approved");
});

it("a request that was approved is not offered again if the page cannot be read", async () => {
  await approve({ done: APPROVED }, async () => {
    throw new ApiError(500, "down", undefined);
  });
  await waitFor(() => expect(standing()).toHaveFocus());
  expect(fetched).toHaveBeenCalledTimes(2);
  expect(standing()).toHaveTextContent("Approved");
  expect(screen.queryByRole("button", { name: "Approve" })).toBeNull();
});

it("if a colleague was faster, the focus is there as well once the page has been read again", async () => {
  const taken = new ApiError(409, "Somebody was faster", { code: "already_decided" });
  await approve(taken, async () => withdrawalPage({ request: withdrawal({ status: "rejected" }) }));
  await waitFor(() => expect(standing()).toHaveFocus());
  expect(standing()).toHaveTextContent("Rejected");
});

it("what was proposed instead is said to wait, and the focus goes back", async () => {
  const waiting = proposal({ kind: "approve_withdrawal" });
  await approve({ proposal: waiting }, async () => {
    throw new ApiError(500, "down", undefined);
  });
  expect(await screen.findByText(/ann has proposed to approve this withdrawal\. Somebody else/)).toBeVisible();
  await waitFor(() => expect(screen.getByRole("button", { name: "Approve" })).toHaveFocus());
});
