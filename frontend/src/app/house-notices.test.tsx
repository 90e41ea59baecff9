import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import HouseNotices from "./house-notices";

const shown = vi.hoisted(() => ({
  maintenance: null as { reason: string } | null,
  user: null as { isBettingBlocked: boolean; isWithdrawingBlocked: boolean } | null,
}));
vi.mock("@/api/house", () => ({ useHouse: () => ({ maintenance: shown.maintenance }) }));
vi.mock("@/api/session", () => ({ useUser: () => shown.user }));

afterEach(() => {
  cleanup();
  Object.assign(shown, { maintenance: null, user: null });
});

it("says why there is maintenance, also to visitors", () => {
  shown.maintenance = { reason: "Back at 14:00 UTC" };
  render(<HouseNotices />);
  expect(screen.getByRole("region", { name: "Maintenance" })).toHaveTextContent(
    "Glasshouse is under maintenance. Back at 14:00 UTCThere are no new rounds",
  );
});

it.each([
  [true, false, "Bets and deposits are blocked for your account."],
  [false, true, "Withdrawals are blocked for your account."],
  [true, true, "Bets, deposits and withdrawals are blocked for your account."],
])("tells a player what is blocked: betting %s, withdrawing %s", (isBettingBlocked, isWithdrawingBlocked, text) => {
  shown.user = { isBettingBlocked, isWithdrawingBlocked };
  render(<HouseNotices />);
  const notice = screen.getByRole("region", { name: "Restriction" });
  expect(notice).toHaveTextContent(text);
  expect(notice).toHaveTextContent("Please contact support.");
});

it("shows nothing while nothing is stopped", () => {
  shown.user = { isBettingBlocked: false, isWithdrawingBlocked: false };
  const { container } = render(<HouseNotices />);
  expect(container).toBeEmptyDOMElement();
});
