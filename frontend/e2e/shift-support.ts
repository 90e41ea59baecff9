// The people of a shift and what they find on arrival, and what the steps of it share.

import type { Browser, Page } from "@playwright/test";
import { payInAnotherCoin, type Player, requestWithdrawal, rowOf, tabNamed, toastTitled } from "./admin-support";
import { type Colleague, hire, playerOf, post, takeOver } from "./colleagues";
import { OwnHouse } from "./own-house";
import { errorsOf, expect, newPage } from "./support";

/** Somebody who works in the panel. */
export type Worker = Colleague & { page: Page };

export type Shift = {
  house: OwnHouse;
  owner: Worker;
  cashier: Worker;
  /** The screen of whichever player is looked at. */
  playing: Page;
  /** A player whose withdrawal is harmless. */
  lena: Player;
  /** A player whose withdrawal is too large for one person. */
  mira: Player;
  /** A player whose payment is under review, and who uses the address of somebody else. */
  rolf: Player;
  /** The payment under review. */
  payment: string;
  /** What the pages have reported as errors. */
  errors: readonly (readonly string[])[];
};

const SETTINGS = { GLASSHOUSE_WITHDRAWAL_DELAY_HOURS: "0", GLASSHOUSE_SANDBOX_STATUS_DELAY_MS: "150" };
const ETHER = { currency: "eth", walletAddress: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed" };

/** A house in which work waits: two withdrawals, one of them proposed for approval, and a payment under review. */
export async function openShift(cashierPage: Page, browser: Browser): Promise<Shift> {
  const house = await OwnHouse.open(SETTINGS);
  const { code, text } = await house.command("admin", "thresholds", "--withdrawal", "80");
  expect(code, text).toBe(0);
  const administrator = await house.administrator();
  const cashier = await hire(house, "cashier", "carla");
  const lena = await playerOf(house, administrator, "lena", "100.00");
  const mira = await playerOf(house, administrator, "mira", "100.00");
  const rolf = await playerOf(house, administrator, "rolf", "0.00");
  const payment = await payInAnotherCoin(administrator, rolf, house.sandbox);
  await post(administrator, `/api/admin/users/${rolf.id}/balance`, { balance: "85.00", reason: "A lost bet" });
  await requestWithdrawal(lena, "30.00");
  const large = await requestWithdrawal(mira, "90.00", ETHER);
  const approval = { action: "approve", propose: true };
  await post(administrator, `/api/admin/withdraw-requests/${large}/process`, approval);
  const pages = [await newPage(browser, cashierPage), await newPage(browser, cashierPage)] as const;
  await takeOver(cashierPage, cashier.calls);
  await takeOver(pages[0], administrator);
  return {
    house,
    owner: { username: "admin", calls: administrator, recoveryCodes: [], page: pages[0] },
    cashier: { ...cashier, page: cashierPage },
    playing: pages[1],
    lena,
    mira,
    rolf,
    payment,
    errors: pages.map(errorsOf),
  };
}

export async function closeShift({ house, owner, cashier, playing, lena, mira, rolf }: Shift): Promise<void> {
  for (const { calls } of [owner, cashier, lena, mira, rolf]) await calls.dispose();
  await house.close(playing, owner.page, cashier.page);
}

/** Waits until everybody's navigation says how much waits at these tabs, without a reload. */
export async function expectWaiting(workers: readonly Worker[], counts: Readonly<Record<string, number>>) {
  for (const { page } of workers)
    for (const [name, count] of Object.entries(counts))
      await expect(tabNamed(page, name)).toHaveAccessibleName(count === 0 ? name : `${name} ${count} waiting`);
}

/** The row of a request. */
export const requestRow = (page: Page, id: number) =>
  page
    .getByRole("table", { name: "Withdrawal requests" })
    .getByRole("row")
    .filter({ has: page.getByRole("button", { name: new RegExp(`^Details of request ${id} `) }) });

/** Opens a tab of the panel. The mouse is then beside what is shown: a list does not change under it. */
export async function openTab(page: Page, name: string): Promise<void> {
  await tabNamed(page, name).click();
  await expect(tabNamed(page, name)).toHaveAttribute("aria-selected", "true");
}

/** Approves a request in the list that is shown. */
export async function approve(page: Page, request: string): Promise<void> {
  await page.getByRole("button", { name: `Approve ${request}` }).click();
  const dialog = page.getByRole("dialog", { name: "Approve Withdrawal" });
  await dialog.getByRole("button", { name: "Approve Withdrawal" }).click();
  await expect(dialog).toHaveCount(0);
}

/** Moves the mouse off the rows. */
export const moveAway = (page: Page) => page.mouse.move(2, 2);

/** Waits for a message. */
export const expectMessage = (page: Page, title: "Success" | "Error", text: string) =>
  expect(toastTitled(page, title).filter({ hasText: text })).toBeVisible();

/** Shows a player's own withdrawals. */
export async function lookAsPlayer({ house, playing }: Shift, player: Player) {
  await takeOver(playing, player.calls);
  await playing.goto(`${house.url}/dashboard?tab=account`);
  const list = playing.getByRole("table", { name: "Withdrawals" });
  await expect(list).toBeVisible();
  return list;
}

/** The audit log says that somebody has done this with somebody. */
export async function expectAudited({ page }: Worker, by: string, action: string, target: string): Promise<void> {
  const row = rowOf(page, "Admin logs", action).filter({ hasText: by }).filter({ hasText: target });
  await expect(row).toHaveCount(1);
}
