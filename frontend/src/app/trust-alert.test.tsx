import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import "fake-indexeddb/auto";
import "@/test-support/network";
import { publishStatus, resetStatus } from "@/api/trust/status";
import { useTrustWatch } from "@/api/trust/watch";
import { Dialog } from "@/components";
import { ProofMark } from "@/games/rounds/proof-mark";
import { FairHouse } from "@/test-support/fair-house";
import { serve } from "@/test-support/serve";
import { TrustAlert } from "./trust-alert";

let house: FairHouse;

beforeEach(async () => {
  localStorage.clear();
  vi.spyOn(console, "warn").mockReturnValue();
  vi.spyOn(console, "info").mockReturnValue();
  house = await FairHouse.open();
  serve(house);
});
afterEach(() => {
  cleanup();
  act(() => resetStatus());
  vi.restoreAllMocks();
});

function Page({ userId }: { userId: number | undefined }) {
  useTrustWatch(userId);
  return (
    <>
      <TrustAlert />
      <ProofMark roundId={5} />
    </>
  );
}

it("says nothing while everything holds", () => {
  render(<Page userId={undefined} />);
  expect(screen.queryByRole("alert")).toBeNull();
});

it("shows a contradiction until its evidence was saved, also on the next visit", async () => {
  const { api } = await import("@/api/client");
  const saved: Blob[] = [];
  vi.stubGlobal("URL", Object.assign(URL, { createObjectURL: (blob: Blob) => `blob:${saved.push(blob)}` }));
  Object.assign(URL, { revokeObjectURL: () => undefined });
  HTMLAnchorElement.prototype.click = vi.fn<() => void>();
  const page = render(<Page userId={7} />);
  // The first answer is remembered.
  await vi.waitFor(() => expect(localStorage).toHaveLength(1), { timeout: 30_000 });
  serve(house, [], async (_, { pathname }) =>
    pathname === "/api/fairness"
      ? new Response(JSON.stringify({ ...(await house.state()), nextServerSeedHash: "2".repeat(64) }))
      : null,
  );
  await act(() => api.GET("/api/fairness"));
  expect(await screen.findByText(/another hash for your next server seed/)).toBeVisible();
  expect(screen.queryByRole("button", { name: "Close" })).toBeNull();

  page.unmount();
  render(<Page userId={7} />);
  expect(await screen.findByText(/another hash for your next server seed/)).toBeVisible();
  fireEvent.click(await screen.findByRole("button", { name: "Save evidence" }));
  fireEvent.click(await screen.findByRole("button", { name: "Close" }));
  await vi.waitFor(() => expect(screen.queryByRole("alert")).toBeNull(), { timeout: 30_000 });
  expect(saved).toHaveLength(1);
});

function BesideDialog({ isOpen }: { isOpen: boolean }) {
  return (
    <>
      <TrustAlert />
      <Dialog open={isOpen} onOpenChange={() => undefined} title="Provably fair" />
    </>
  );
}

it("is shown to screen readers also beside a dialog that was opened before", async () => {
  const { rerender } = render(<BesideDialog isOpen={false} />);
  rerender(<BesideDialog isOpen />);
  expect(screen.getByRole("dialog", { name: "Provably fair" })).toBeVisible();
  const failure = {
    name: "failure",
    userId: 7,
    atMs: 0,
    kind: "log_invalid",
    message: "The proof is not valid.",
    evidence: {},
    isClosed: false,
  } as const;
  act(() => publishStatus({ failures: [failure] }));
  expect(await screen.findByRole("alert")).toHaveTextContent("The proof is not valid.");
  // And another dialog does not hide it again.
  rerender(<BesideDialog isOpen={false} />);
  rerender(<BesideDialog isOpen />);
  expect(screen.getByRole("alert")).toHaveTextContent("The proof is not valid.");
});

it("marks how far a round is proved, in words", () => {
  render(<ProofMark roundId={5} />);
  for (const [status, text] of [
    ["recorded", "recorded"],
    ["proved", "proved"],
    ["failed", "not proved"],
  ] as const) {
    act(() => publishStatus({ rounds: new Map([[5, status]]) }));
    expect(screen.getByText(text)).toBeVisible();
  }
  act(() => publishStatus({ rounds: new Map([[6, "proved"]]) }));
  expect(screen.queryByText("proved")).toBeNull();
});
