// The steps of a shift that are about withdrawals and their payment.

import type { Page } from "@playwright/test";
import { refreshUntil, requestWithdrawal, rowOf, tabNamed } from "./admin-support";
import {
  approve,
  expectMessage,
  expectWaiting,
  lookAsPlayer,
  moveAway,
  openTab,
  requestRow,
  type Shift,
} from "./shift-support";
import { expect, expectAccessible } from "./support";

const NOTE = "Has the address of lena. I have asked him for a photo of his wallet";
const NOTED = new RegExp(`by carla .*${NOTE}`);
const BLOCK = "Until the owner of the wallet is known";
const REJECTION = "The address belongs to another player";
/** Of the sandbox, which is in no explorer. */
const TRANSACTION = /^sandbox[0-9a-f]{64}$/;

/** Both come to work, and see what waits, and what comes while they watch. */
export async function arrive({ house, owner, cashier, rolf }: Shift): Promise<void> {
  for (const { page } of [owner, cashier]) await page.goto(`${house.url}/admin`);
  await expect(owner.page.getByText("Your role: Owner.")).toBeVisible();
  await expect(cashier.page.getByText("Your role: Cashier.")).toBeVisible();
  const found = { Withdrawals: 2, "Payment Status": 1, Alerts: 1, Approvals: 1 };
  await expectWaiting([owner, cashier], found);
  await requestWithdrawal(rolf, "40.00");
  await expectWaiting([owner, cashier], { ...found, Withdrawals: 3 });
}

/** The cashier looks at the request with the most risk, and at its player, and comes back to it. */
export async function lookAtRisk({ cashier: { page }, rolf }: Shift): Promise<void> {
  await openTab(page, "Withdrawals");
  await page.getByRole("combobox", { name: "Order" }).selectOption("Most risk first");
  const riskiest = page.getByRole("table", { name: "Withdrawal requests" }).locator("[data-record]").first();
  await expect(riskiest).toContainText(/Risk \d+: others use the address, open review/);
  await riskiest.getByRole("link", { name: "rolf" }).click();
  await expect(page.getByRole("heading", { name: "rolf", exact: true })).toBeVisible();
  const entries = page.getByRole("list", { name: "Timeline of rolf" }).getByRole("listitem");
  for (const text of [
    "Withdrawal of $40.00 in BTC requested",
    "Held for a withdrawal",
    "Deposit credited",
    "A lost bet",
  ])
    await expect(entries.filter({ hasText: text }).first()).toBeVisible();
  await expect(page.getByText("1 open review")).toBeVisible();

  await page.getByRole("button", { name: "Add Note" }).click();
  const note = page.getByRole("dialog", { name: "Add Note" });
  await note.getByLabel("Note").fill(NOTE);
  await note.getByRole("button", { name: "Add Note" }).click();
  await expect(entries.first()).toContainText(NOTED);
  await page.getByRole("button", { name: "Restrict rolf" }).click();
  const restriction = page.getByRole("dialog", { name: "Restrictions of rolf" });
  await restriction.getByLabel("Reason").fill(BLOCK);
  await restriction.getByRole("button", { name: "Block Withdrawing" }).click();
  await expect(page.getByText("No withdrawing")).toBeVisible();
  await expect(entries.first()).toContainText("Withdrawing blocked");
  await expectAccessible(page);

  await page.goBack();
  await expect(page.getByRole("combobox", { name: "Order" })).toHaveValue("risk");
  await page.getByRole("button", { name: `Approve request 3 of ${rolf.username}` }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Approve Withdrawal" }).click();
  await expectMessage(page, "Error", "blocked");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(requestRow(page, 3)).toContainText("Pending");
}

/** The owner reads what the cashier has found, and resolves the review, which both see. */
export async function resolveReview({ owner, cashier, payment, rolf, house }: Shift): Promise<void> {
  const { page } = owner;
  await openTab(page, "Payment Status");
  await page.getByRole("button", { name: `Resolve the review of ${payment}` }).click();
  const dialog = page.getByRole("dialog", { name: "Resolve Review" });
  await dialog.getByLabel("What was done").fill("The provider has sent the coins back");
  await dialog.getByRole("button", { name: "Resolve" }).click();
  await expectMessage(page, "Success", "The review has been resolved");
  await acknowledge(page, "review");
  await expectWaiting([owner, cashier], { "Payment Status": 0, Alerts: 0 });
  await page.goto(`${house.url}/admin/players/${rolf.id}?kind=audit`);
  await expect(page.getByRole("list", { name: "Timeline of rolf" })).toContainText(NOTED);
}

/** Both want to approve the same request, and one of them is faster. */
export async function decideAtOnce({ owner, cashier, lena }: Shift): Promise<void> {
  await openTab(owner.page, "Withdrawals");
  await owner.page.getByRole("combobox", { name: "Status" }).selectOption("All requests");
  await owner.page.getByRole("button", { name: "Approve request 1 of lena" }).click();
  const dialog = owner.page.getByRole("dialog", { name: "Approve Withdrawal" });
  await expect(dialog).toContainText("$29.70");
  await approve(cashier.page, "request 1 of lena");
  await dialog.getByRole("button", { name: "Approve Withdrawal" }).click();
  await expectMessage(owner.page, "Error", "This withdrawal was already approved");
  await expect(dialog).toHaveCount(0);
  await expect(requestRow(owner.page, 1)).toContainText("Approved by carla");

  await expectWaiting([owner, cashier], { Withdrawals: 2 });

  // The next one comes while both watch, and the list changes by itself where no row is pointed at.
  await moveAway(owner.page);
  await requestRow(cashier.page, 1).hover();
  await requestWithdrawal(lena, "25.00");
  await expect(requestRow(owner.page, 4)).toContainText("Pending");
  // By the keyboard, because the list would also reload as soon as the mouse left it.
  await cashier.page.getByRole("button", { name: "Show changes" }).press("Enter");
  await approve(cashier.page, "request 4 of lena");
  await expect(requestRow(owner.page, 4)).toContainText("Approved by carla");
  await expect(owner.page.getByRole("button", { name: /^Approve request [14] / })).toHaveCount(0);
  await expectAccessible(owner.page);
}

/** The provider pays, and the player sees what arrived, at which cost, and where. */
export async function payOut(shift: Shift): Promise<void> {
  const { page } = shift.cashier;
  await page.getByRole("combobox", { name: "Status" }).selectOption("Arrived");
  await refreshUntil(page, requestRow(page, 1), "Arrived");
  await page.getByRole("button", { name: "Details of request 1 of lena" }).click();
  const details = page.getByRole("table", { name: "Withdrawal requests" });
  await expect(details).toContainText("0.00033 BTC, network fee");
  const transaction = details.locator("code").filter({ hasText: TRANSACTION });
  await expect(transaction).toBeVisible();
  const id = (await transaction.textContent()) ?? "";
  await refreshUntil(page, requestRow(page, 4), "Arrived");

  const list = await lookAsPlayer(shift, shift.lena);
  const row = list.getByRole("row").filter({ hasText: "$30.00" });
  for (const text of ["$0.30", "$29.70", "Paid", "0.00033 BTC", id]) await expect(row).toContainText(text);
  await expect(shift.playing.getByTestId("balance")).toHaveText("$45.00");
}

/** Takes care of an alert. */
async function acknowledge(page: Page, text: string): Promise<void> {
  await openTab(page, "Alerts");
  await rowOf(page, "Alerts", text)
    .getByRole("button", { name: /^Acknowledge/ })
    .click();
  await expectMessage(page, "Success", "1 alert has been acknowledged");
}

/** The cashier approves what the owner has proposed, but the provider cannot pay it, which the owner sees. */
export async function approveInVain({ house, owner, cashier, mira }: Shift): Promise<void> {
  const failing = await mira.calls.post(`${house.sandbox}/sandbox/switches`, { form: { fail_payouts: "1" } });
  expect(failing.ok()).toBe(true);
  await owner.page.getByRole("combobox", { name: "Status" }).selectOption("Failed");
  await expect(owner.page.getByText("No failed withdrawal requests")).toBeVisible();
  await moveAway(owner.page);
  await openTab(cashier.page, "Approvals");
  const proposal = cashier.page.getByRole("list", { name: "Proposals" }).getByRole("listitem");
  await expect(proposal).toContainText("Approve withdrawal 2 of $90.00.");
  await cashier.page.getByRole("button", { name: "Approve proposal 1" }).click();
  const dialog = cashier.page.getByRole("dialog", { name: "Approve Proposal" });
  for (const text of ["mira", "$90.00", "admin"]) await expect(dialog).toContainText(text);
  await dialog.getByRole("button", { name: "Approve", exact: true }).click();
  await expectMessage(cashier.page, "Success", "Approved and carried out");
  await expect(requestRow(owner.page, 2)).toContainText("Failed");
  // It waits beside the one that is pending.
  await expectWaiting([owner, cashier], { Withdrawals: 2, Approvals: 0 });
}

/** The owner rejects the risky request, whose player sees the amount and the reason. */
export async function reject(shift: Shift): Promise<void> {
  const { page } = shift.owner;
  await page.getByRole("combobox", { name: "Status" }).selectOption("Pending");
  await page.getByRole("button", { name: "Reject request 3 of rolf" }).click();
  const dialog = page.getByRole("dialog", { name: "Reject Withdrawal" });
  await dialog.getByRole("button", { name: "Reject Withdrawal" }).click();
  await expect(dialog.getByLabel("Rejection Reason")).toHaveAccessibleDescription(
    "Please provide a reason for rejection",
  );
  await dialog.getByLabel("Rejection Reason").fill(REJECTION);
  await dialog.getByRole("button", { name: "Reject Withdrawal" }).click();
  await expectMessage(page, "Success", "Withdrawal request processed successfully");
  await expect(requestRow(page, 3)).toContainText(REJECTION);
  await expectWaiting([shift.owner, shift.cashier], { Withdrawals: 1 });
  const list = await lookAsPlayer(shift, shift.rolf);
  for (const text of ["Rejected", `Reason: ${REJECTION}`, "The amount is back in your balance."])
    await expect(list).toContainText(text);
  await expect(shift.playing.getByTestId("balance")).toHaveText("$85.00");
}

/** An alert reminds them of what could not be paid. The owner returns the amount, and the player reads so. */
export async function returnFailed(shift: Shift): Promise<void> {
  const { owner, cashier, mira } = shift;
  await expectWaiting([owner, cashier], { Alerts: 1 });
  await acknowledge(cashier.page, "has failed");
  await openTab(owner.page, "Withdrawals");
  await owner.page.getByRole("button", { name: "Show failed" }).click();
  await owner.page.getByRole("button", { name: "Return Amount: request 2 of mira" }).click();
  const dialog = owner.page.getByRole("dialog", { name: "Return Amount" });
  await expect(dialog).toContainText("$89.10");
  await dialog.getByRole("button", { name: "Return Amount" }).click();
  await expectMessage(owner.page, "Success", "The amount was returned");
  const list = await lookAsPlayer(shift, mira);
  await expect(list).toContainText("It could not be paid. The amount is back in your balance.");
  await expect(shift.playing.getByTestId("balance")).toHaveText("$100.00");
}

/** Whether nothing waits any more. */
export async function expectDone({ owner, cashier, house }: Shift): Promise<void> {
  await expectWaiting([owner, cashier], { Withdrawals: 0, "Payment Status": 0, Alerts: 0, Approvals: 0 });
  for (const { page } of [owner, cashier]) {
    await expect(tabNamed(page, "Dashboard")).toBeVisible();
    await expect(page.getByText(/\d waiting/)).toHaveCount(0);
  }
  const { code, text } = await house.command("check");
  expect(code, text).toBe(0);
}
