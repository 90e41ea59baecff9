import { expect, it } from "vitest";
import { depositStop, withdrawalStop } from "./stopped";

const RUNNING = { maintenance: null, deposits: null, withdrawals: null, registration: null };
const reason = "lunch";
const free = { isBettingBlocked: false, isWithdrawingBlocked: false };

it("stops nothing unless something is stopped", () => {
  for (const stop of [depositStop, withdrawalStop]) {
    expect(stop(RUNNING, free)).toBeNull();
    expect(stop(RUNNING, null)).toBeNull();
  }
});

it("tells maintenance, a switch and a restriction apart", () => {
  const maintained = {
    maintenance: { reason },
    deposits: { reason },
    withdrawals: { reason },
    registration: { reason },
  };
  for (const stop of [depositStop, withdrawalStop])
    expect(stop(maintained, free)).toEqual({ title: "Glasshouse is under maintenance.", reason });
  expect(depositStop({ ...RUNNING, deposits: { reason } }, free)?.title).toBe("Deposits are paused at the moment.");
  expect(withdrawalStop({ ...RUNNING, deposits: { reason } }, free)).toBeNull();
  expect(withdrawalStop({ ...RUNNING, withdrawals: { reason } }, free)?.reason).toBe(reason);
  expect(depositStop(RUNNING, { ...free, isBettingBlocked: true })?.reason).toBe("Please contact support.");
  expect(depositStop(RUNNING, { ...free, isWithdrawingBlocked: true })).toBeNull();
  expect(withdrawalStop(RUNNING, { ...free, isWithdrawingBlocked: true })?.reason).toBe("Please contact support.");
  expect(withdrawalStop(RUNNING, { ...free, isBettingBlocked: true })).toBeNull();
});
