import type { Page } from "@playwright/test";
import { OwnHouse } from "./own-house";
import { panel } from "./settings-support";
import { expect, expectAccessible, newName, PASSWORD, setBalance, test, toastTitled } from "./support";
import { balance, BTC_ADDRESS } from "./wallet-support";

// Withdrawals in a house that delays them: the house of the other journeys does not.

async function signIn(house: OwnHouse, page: Page): Promise<string> {
  const username = newName();
  const { request } = page.context();
  const answer = await request.post(`${house.url}/api/register`, { data: { username, password: PASSWORD } });
  const { id } = (await answer.json()) as { id: number };
  await setBalance(await house.administrator(), id, "100.00");
  return username;
}

test("a delay is announced before the request, and a pending withdrawal is cancelled", async ({ page, browser }) => {
  const house = await OwnHouse.open();
  try {
    const username = await signIn(house, page);
    await page.goto(`${house.url}/dashboard?tab=account`);
    await page.getByRole("button", { name: "Withdraw Crypto" }).click();
    const dialog = page.getByRole("dialog", { name: "Withdraw" });
    const notice = dialog.getByRole("status");
    await expect(notice).toContainText(/Can be approved from .+, because the address is new/);
    await dialog.getByLabel("Amount (USD)").fill("25");
    await dialog.getByLabel("Wallet address").fill(BTC_ADDRESS);
    await expect(notice).toContainText("because the address is new");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Request Withdrawal" }).click();
    await expect(toastTitled(page, "Withdrawal Requested")).toBeVisible();
    await expect(balance(page)).toHaveText("$75.00");
    const list = panel(page, "Withdrawals");
    const delay = list.getByText(/Can be approved from .+, because the address is new/).locator("visible=true");
    await expect(delay).toBeVisible();
    await expectAccessible(page);

    // Administrators see the delay before they decide.
    const context = await browser.newContext(page.viewportSize() === null ? {} : { viewport: page.viewportSize() });
    const admin = await context.newPage();
    await context.addCookies((await (await house.administrator()).storageState()).cookies);
    await admin.goto(`${house.url}/admin?tab=withdrawals`);
    const row = admin.getByRole("row").filter({ hasText: username });
    await expect(row).toContainText("Delayed");
    await row.getByRole("button", { name: /^Details of request/ }).click();
    await expect(admin.getByText(/^.+UTC.*: the address is new$/)).toBeVisible();
    await expectAccessible(admin);
    await row.getByRole("button", { name: "Approve" }).click();
    await expect(admin.getByRole("dialog", { name: "Approve Withdrawal" })).toContainText(
      /Delayed until.+because the address is new/,
    );
    await expectAccessible(admin);
    await context.close();

    await list.getByRole("button", { name: "Cancel the withdrawal of $25.00" }).click();
    const question = page.getByRole("dialog", { name: "Cancel this withdrawal?" });
    await expect(question).toContainText("The full $25.00 returns to your balance");
    await expectAccessible(page);
    await question.getByRole("button", { name: "Cancel withdrawal" }).click();
    await expect(toastTitled(page, "Withdrawal Cancelled")).toContainText("$25.00 is back in your balance");
    await expect(balance(page)).toHaveText("$100.00");
    await expect(list.getByText("Cancelled")).toBeVisible();
    await expect(delay).toHaveCount(0);
    await expect(list.getByRole("button", { name: /^Cancel the withdrawal/ })).toHaveCount(0);
    await expectAccessible(page);

    // The address is remembered, and can be chosen.
    await page.getByRole("button", { name: "Withdraw Crypto" }).click();
    await dialog.getByLabel("Saved address").selectOption({ index: 1 });
    await expect(dialog.getByLabel("Wallet address")).toHaveValue(BTC_ADDRESS);
    await house.sql("UPDATE withdrawal_addresses SET usable_from_micros = added_at_micros;");
    await page.reload();
    await page.getByRole("button", { name: "Withdraw Crypto" }).click();
    await expect(notice).toContainText("because the address is new");
    await dialog.getByLabel("Saved address").selectOption({ index: 1 });
    await expect(notice).toHaveText("");
    await expectAccessible(page);
  } finally {
    await house.close(page);
  }
});

test("the address book is kept in the settings", async ({ page }) => {
  const house = await OwnHouse.open();
  try {
    await signIn(house, page);
    await page.goto(`${house.url}/settings?tab=security`);
    await expect(panel(page, "Password")).toContainText("Withdrawals that you request within 24 hours are delayed.");
    const delays = "Withdrawals that you request within 24 hours afterwards are delayed.";
    await expect(panel(page, "Second factor")).toContainText(delays);
    const book = panel(page, "Withdrawal addresses");
    await expect(book.getByText("No addresses yet")).toBeVisible();
    await book.getByRole("button", { name: "Add address" }).click();
    const dialog = page.getByRole("dialog", { name: "Add an address" });
    await expect(dialog).toContainText("Withdrawals to it can be approved in 24 hours at the earliest.");
    await dialog.getByRole("button", { name: "Add address" }).click();
    await expect(dialog.getByText("Please enter a valid wallet address")).toBeVisible();
    await expect(dialog.getByText("Please enter your password")).toBeVisible();
    await expectAccessible(page);
    await dialog.getByLabel("Wallet address").fill(BTC_ADDRESS);
    await dialog.getByLabel("Label (optional)").fill("Cold wallet");
    await dialog.getByLabel("Your password").fill(PASSWORD);
    await dialog.getByRole("button", { name: "Add address" }).click();
    await expect(toastTitled(page, "Address Added")).toContainText("in 24 hours");
    const entry = book.getByRole("listitem");
    await expect(entry).toContainText("Cold wallet");
    await expect(entry).toContainText(/Withdrawals to it can be approved from/);
    await expectAccessible(page);

    await entry.getByRole("button", { name: "Rename Cold wallet" }).click();
    const rename = page.getByRole("dialog", { name: "Rename address" });
    await rename.getByLabel("Label").fill("Savings");
    await expectAccessible(page);
    await rename.getByLabel("Label").press("Enter");
    await expect(entry).toContainText("Savings");
    await entry.getByRole("button", { name: "Remove Savings" }).click();
    await page.getByRole("dialog", { name: "Remove this address?" }).getByRole("button", { name: "Remove" }).click();
    await expect(book.getByText("No addresses yet")).toBeVisible();
    await expectAccessible(page);
  } finally {
    await house.close(page);
  }
});
