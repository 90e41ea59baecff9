import type { Page } from "@playwright/test";
import { openPanel, payInAnotherCoin, requestWithdrawal, rowOf, test, expect } from "./admin-support";
import { expectAccessible, toastTitled } from "./support";

// The pages of one payment and of one withdrawal: what became of them, and the acts that the lists offer as well.

/** What says how things stand. */
const standing = (page: Page) => page.getByRole("group", { name: "Status", exact: true });

test("a payment's page has its history, and its review can be resolved there", async ({
  page,
  newPlayer,
  administrator,
}, info) => {
  const player = await newPlayer("0.00");
  const id = await payInAnotherCoin(administrator, player);
  await openPanel(page, `?tab=payments&search=${id}`);
  const active = rowOf(page, "Active payments", player.username);
  await active.getByRole("button", { name: `Details of payment ${id}` }).click();
  await page.getByRole("link", { name: "Everything about this payment" }).click();
  await expect(page.getByRole("heading", { name: `Payment ${id}` })).toBeVisible();
  const history = page.getByRole("list", { name: `History of payment ${id}` });
  await expect(history).toContainText("Deposit of $25.00 in BTC requested");
  await expect(history).toContainText("Review opened: A different coin was sent");
  await expect(page.getByRole("term").filter({ hasText: "Follows the payment" })).toBeVisible();
  // The open review offers both.
  await expect(page.getByRole("button", { name: `Check Now ${id}` })).toHaveCount(1);
  await expect(page.getByRole("button", { name: `Confirm by hand ${id}` })).toHaveCount(1);
  for (const name of ["Check Status", "Confirm…"])
    await expect(page.getByRole("button", { name, exact: true })).toHaveCount(0);
  await expectAccessible(page);
  await page.screenshot({ path: info.outputPath("payment.png"), fullPage: true });

  await page.getByRole("button", { name: `Resolve the review of ${id}` }).click();
  const dialog = page.getByRole("dialog", { name: "Resolve Review" });
  await dialog.getByLabel("What was done").fill("Sent back by the provider");
  await dialog.getByRole("button", { name: "Resolve" }).click();
  await expect(history).toContainText("Review resolved: A different coin was sentSent back by the provider");
  await expect(page.getByRole("list", { name: "Open reviews" })).toHaveCount(0);
  await expect(standing(page)).toBeFocused();
  await expect(page.getByRole("button", { name: "Check Status", exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.screenshot({ path: info.outputPath("resolved.png"), fullPage: true });
  await page.getByRole("term").filter({ hasText: "Follows the payment" }).locator("..").getByRole("link").click();
  await expect(page.getByRole("list", { name: /^History of payment/ })).toContainText(
    `$25.00 credited to ${player.username}`,
  );
  await page.screenshot({ path: info.outputPath("credited.png"), fullPage: true });

  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search the panel" }).fill(id);
  await page.getByRole("option", { name: `Payment ${id}` }).click();
  await expect(page).toHaveURL(new RegExp(`/admin/payments/${id}$`));
  await expect(page.getByRole("heading", { name: `Payment ${id}` })).toBeVisible();

  for (const unknown of ["1", "no-such"]) {
    await page.goto(`/admin/payments/${unknown}`);
    await expect(page.getByText(`There is no payment with the ID ${unknown}`)).toBeVisible();
  }
  await expectAccessible(page);
});

test("a withdrawal is approved on its page, which shows that it has arrived", async ({ page, newPlayer }, info) => {
  const player = await newPlayer();
  const id = await requestWithdrawal(player, "50.00");
  await openPanel(page, `?tab=withdrawals&search=${player.username}`);
  await rowOf(page, "Withdrawal requests", player.username)
    .getByRole("button", { name: /^Details of request/ })
    .click();
  await page.getByRole("link", { name: "Everything about this request" }).click();
  await expect(page.getByRole("heading", { name: `Withdrawal ${id}` })).toBeVisible();
  const history = page.getByRole("list", { name: `History of withdrawal ${id}` });
  await expect(history).toContainText("$50.00 in BTC requested");
  await expect(history).toContainText("Held for a withdrawal");
  await expectAccessible(page);
  await page.screenshot({ path: info.outputPath("pending.png"), fullPage: true });

  await page.getByRole("button", { name: "Approve" }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Approve Withdrawal" });
  await dialog.getByRole("button", { name: "Approve Withdrawal" }).click();
  await expect(toastTitled(page, "Success")).toContainText("Withdrawal request processed successfully");
  await expect(history).toContainText("Taken up to be paid");
  // The button is gone.
  await expect(standing(page)).toBeFocused();
  await expect(async () => {
    await page.reload();
    await expect(history).toContainText("Arrived", { timeout: 1_000 });
  }).toPass();
  await expect(history).toContainText(/Batch .+, payment/);
  await expect(history).toContainText("0.00055 BTC · transaction sandbox");
  await expectAccessible(page);
  await page.screenshot({ path: info.outputPath("arrived.png"), fullPage: true });

  for (const unknown of ["999999999", "abc"]) {
    await page.goto(`/admin/withdrawals/${unknown}`);
    await expect(page.getByText(`There is no withdrawal with the ID ${unknown}`)).toBeVisible();
  }
});
