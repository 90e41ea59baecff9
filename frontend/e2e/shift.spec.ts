import { balanceOf } from "./admin-support";
import { hire, playerOf, post, takeOver } from "./colleagues";
import { OwnHouse } from "./own-house";
import { adjust, JACKPOT, lackSecondPerson, switchOff } from "./shift-decisions";
import {
  approveInVain,
  arrive,
  decideAtOnce,
  expectDone,
  lookAtRisk,
  payOut,
  reject,
  resolveReview,
  returnFailed,
} from "./shift-payments";
import { closeShift, expectWaiting, openShift, openTab, type Shift } from "./shift-support";
import { expect, expectAccessible, shot, test } from "./support";

// A shift of two people, from what waits when they come to when nothing does.

/** What they do, in this order. */
const STEPS: readonly [string, (shift: Shift) => Promise<void>][] = [
  ["both see what waits, and what comes while they watch", arrive],
  ["the cashier looks into a risky withdrawal, writes a note and blocks withdrawing", lookAtRisk],
  ["the owner reads the note and resolves the review", resolveReview],
  ["of two who approve the same withdrawal, the second is told", decideAtOnce],
  ["the provider pays, and the player sees the coins, the fee and the transaction", payOut],
  ["the cashier approves a withdrawal that the owner has proposed, but the provider cannot pay it", approveInVain],
  ["a withdrawal is rejected, and its player reads why", reject],
  ["an adjustment needs somebody who may approve it", lackSecondPerson],
  ["one proposes adjustments, the other approves and refuses them, and each counts once", adjust],
  ["the amount that could not be paid is returned", returnFailed],
  ["a game is paused and opened again", switchOff],
  ["nothing waits any more, and the books are right", expectDone],
];

test("two people work through a shift", async ({ page, browser }) => {
  const shift = await openShift(page, browser);
  try {
    for (const [name, step] of STEPS) await test.step(name, () => step(shift));
    expect(shift.errors.flat()).toEqual([]);
  } finally {
    await closeShift(shift);
  }
});

test("a proposal is approved on a phone @phone", async ({ page }, info) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const house = await OwnHouse.open();
  try {
    const administrator = await house.administrator();
    const finance = { ...(await hire(house, "finance", "fiona")), page };
    const lena = await playerOf(house, administrator, "lena", "45.00");
    const adjustment = { balance: "195.00", reason: JACKPOT, propose: true };
    await post(administrator, `/api/admin/users/${lena.id}/balance`, adjustment);
    await takeOver(page, finance.calls);
    await page.goto(`${house.url}/admin`);
    await expectWaiting([finance], { Approvals: 1 });
    await openTab(page, "Approvals");
    await expect(page.getByRole("list", { name: "Proposals" })).toContainText(JACKPOT);
    await expectAccessible(page);
    await shot(page, info, "proposal");
    await page.getByRole("button", { name: "Approve proposal 1" }).click();
    await expect(page.getByRole("dialog", { name: "Approve Proposal" })).toContainText("+$150.00");
    await expectAccessible(page);
    await shot(page, info, "approval");
    await page.getByRole("dialog").getByRole("button", { name: "Approve", exact: true }).click();
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expectWaiting([finance], { Approvals: 0 });
    expect(await balanceOf(lena)).toBe("195.00");
    await expectAccessible(page);
    await shot(page, info, "approved");
    for (const { calls } of [finance, lena]) await calls.dispose();
    await administrator.dispose();
  } finally {
    await house.close(page);
  }
});
