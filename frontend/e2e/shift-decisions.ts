// The steps of a shift that need two people, or that concern the whole house.

import type { Page } from "@playwright/test";
import { balanceOf, type Player } from "./admin-support";
import { signInAgain, takeOver } from "./colleagues";
import { expectAudited, expectMessage, expectWaiting, moveAway, openTab, type Shift } from "./shift-support";
import { expect, expectAccessible, toastTitled } from "./support";

/** Why a balance is adjusted. */
export const JACKPOT = "A jackpot that the game did not pay";
const PAUSE = "A wrong paytable, reported by lena";
const BET = { betAmount: "1.00", targetNumber: 50, betType: "over" };

/** Opens the page of a player with the search. */
async function openPlayer(page: Page, { id, username }: Player): Promise<void> {
  await page.keyboard.press("/");
  await page.getByRole("combobox", { name: "Search the panel" }).fill(username);
  await expect(page.getByRole("option").first()).toContainText(`${username}#${id}`);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: username, exact: true })).toBeVisible();
}

/** Fills the dialog for a new balance, which is too large a change for one person. */
async function beginAdjustment(page: Page, player: Player, balance: string) {
  await openPlayer(page, player);
  await page.getByRole("button", { name: `Adjust Balance of ${player.username}` }).click();
  const dialog = page.getByRole("dialog", { name: "Adjust Balance" });
  await dialog.getByLabel("New Balance ($)").fill(balance);
  await dialog.getByRole("button", { name: `Set to $${balance}` }).click();
  const reason = dialog.getByLabel("Reason");
  await expect(reason).toHaveAttribute("aria-invalid", "true");
  await expect(reason).toHaveAccessibleDescription("A reason is required");
  await reason.fill(JACKPOT);
  await dialog.getByRole("button", { name: `Set to $${balance}` }).click();
  await expect(dialog.getByRole("alert")).toContainText("Adjustments of more than $100.00 need a second person.");
  await dialog.getByRole("button", { name: "Propose" }).click();
  return dialog;
}

/** A cashier cannot approve an adjustment: the owner is told so, and the operator gives her the role for it. */
export async function lackSecondPerson({ house, owner, cashier, lena }: Shift): Promise<void> {
  const dialog = await beginAdjustment(owner.page, lena, "195.00");
  await expectMessage(owner.page, "Error", "Nobody else could approve this.");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await openTab(owner.page, "Approvals");
  const note = owner.page.getByRole("note");
  await expect(note).toContainText("adjustments above the threshold");

  const { code, text } = await house.command("admin", "grant", "carla", "--role", "finance");
  expect(code, text).toBe(0);
  // Whoever may do more than before signs in again.
  await expect(cashier.page.getByRole("heading", { name: "Session Lost" })).toBeVisible();
  await signInAgain(cashier);
  await takeOver(cashier.page, cashier.calls);
  await cashier.page.goto(`${house.url}/admin`);
  await expect(cashier.page.getByText("Your role: Finance.")).toBeVisible();
  await owner.page.getByRole("button", { name: "Refresh proposals" }).click();
  await expect(note).not.toContainText("adjustments above the threshold");
}

/** The owner proposes two adjustments, and cannot approve them; the other one approves the first and refuses the second. */
export async function adjust(shift: Shift): Promise<void> {
  const { house, owner, cashier, lena, mira, playing } = shift;
  await takeOver(playing, lena.calls);
  await playing.goto(`${house.url}/dashboard`);
  await expect(playing.getByTestId("balance")).toHaveText("$45.00");
  const proposed = "Proposed. Another person must approve it.";
  await beginAdjustment(owner.page, lena, "195.00");
  await expectMessage(owner.page, "Success", proposed);
  await expectWaiting([owner, cashier], { Approvals: 1 });
  await openTab(cashier.page, "Approvals");
  const proposals = cashier.page.getByRole("list", { name: "Proposals" }).getByRole("listitem");
  await expect(proposals).toContainText([JACKPOT]);
  await beginAdjustment(owner.page, mira, "160.00");
  await expectMessage(owner.page, "Success", proposed);
  await expect(proposals).toHaveCount(2);
  await expectAccessible(cashier.page);

  await openTab(owner.page, "Approvals");
  await expect(owner.page.getByText("You have proposed this, so somebody else decides.")).toHaveCount(2);
  await expect(owner.page.getByRole("button", { name: /^Approve/ })).toHaveCount(0);
  const own = await owner.calls.post("/api/admin/proposals/2/approve");
  expect(await own.json()).toMatchObject({ code: "own_proposal" });
  expect(await balanceOf(lena)).toBe("45.00");

  await decide(cashier.page, "Approve", 2);
  await playing.reload();
  await expect(playing.getByTestId("balance")).toHaveText("$195.00");
  const again = await cashier.calls.post("/api/admin/proposals/2/approve");
  expect(await again.json()).toMatchObject({ code: "proposal_decided" });
  await decide(cashier.page, "Refuse", 3, "Mira has got it already");
  await expectWaiting([owner, cashier], { Approvals: 0 });
  await moveAway(owner.page);
  await expect(owner.page.getByText("Nothing waits for a second person")).toBeVisible();
  await expectChangedOnce(owner.page, lena, "+$150.00");
  // Both read who has done what.
  for (const worker of [owner, cashier]) {
    await openTab(worker.page, "Admin Logs");
    await expectAudited(worker, "admin", "Proposal made", "lena");
    await expectAudited(worker, "carla", "Proposal approved", "lena");
    await expectAudited(worker, "carla", "Proposal refused", "Mira has got it already");
  }
}

/** Decides on a proposal in the list that is shown. */
async function decide(page: Page, decision: "Approve" | "Refuse", id: number, reason?: string): Promise<void> {
  await page.getByRole("button", { name: `${decision} proposal ${id}` }).click();
  const dialog = page.getByRole("dialog", { name: `${decision} Proposal` });
  if (reason !== undefined) await dialog.getByLabel("Reason").fill(reason);
  await dialog.getByRole("button", { name: decision, exact: true }).click();
  await expect(dialog).toHaveCount(0);
}

/** Besides the funds that the player has begun with, there is one adjustment. */
async function expectChangedOnce(page: Page, player: Player, change: string): Promise<void> {
  await openPlayer(page, player);
  await page.getByRole("combobox", { name: "Kind" }).selectOption("Ledger");
  const entries = page.getByRole("list", { name: `Timeline of ${player.username}` }).getByRole("listitem");
  await expect(entries.filter({ hasText: "Balance adjusted" })).toContainText([change, "+$100.00"]);
}

/** The owner pauses a game, the other one sees it, and a player cannot bet until it is open again. */
export async function switchOff({ house, owner, cashier, playing, lena }: Shift): Promise<void> {
  await takeOver(playing, lena.calls);
  await playing.goto(`${house.url}/dice`);
  await expect(playing.getByTestId("main-action")).toBeEnabled();
  await openTab(owner.page, "Switches");
  await setStatus(owner.page, "Paused", PAUSE);
  await expectStatus(cashier.page, "Paused");
  await playing.getByTestId("main-action").click();
  await expect(toastTitled(playing, "Error")).toContainText("This game is paused at the moment.");
  const refused = await lena.calls.post("/api/dice/play", { data: BET });
  expect(await refused.json()).toMatchObject({ code: "game_paused" });
  await expect(playing.getByTestId("balance")).toHaveText("$195.00");

  await setStatus(owner.page, "Open", "The paytable is right again");
  await expectStatus(cashier.page, "Open");
  await playing.getByTestId("main-action").click();
  await expect(playing.getByRole("table", { name: /^Your last bets/ }).getByRole("row")).toHaveCount(2);
  await openTab(cashier.page, "Admin Logs");
  await expectAudited(cashier, "admin", "Game status", PAUSE);
}

const statusOfDice = (page: Page) =>
  page.getByRole("list", { name: "Games" }).getByRole("listitem").filter({ hasText: "Dice" });

/** Looks the status up, as somebody who comes from another tab. */
async function expectStatus(page: Page, status: "Open" | "Paused"): Promise<void> {
  await openTab(page, "Admin Logs");
  await openTab(page, "Switches");
  await expect(statusOfDice(page)).toContainText(status);
}

async function setStatus(page: Page, status: "Open" | "Paused", reason: string): Promise<void> {
  await page.getByRole("button", { name: "Change the status of Dice" }).click();
  const dialog = page.getByRole("dialog", { name: "Status of Dice" });
  await dialog.getByLabel("Reason").fill(reason);
  await dialog.getByRole("button", { name: `Set to ${status}` }).click();
  await expect(dialog).toHaveCount(0);
  await expect(statusOfDice(page)).toContainText(status);
}
