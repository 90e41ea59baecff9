import {
  balanceOf,
  beginPayment,
  BTC_ADDRESS,
  expect,
  newInvoice,
  openPanel,
  SETTLE_TIMEOUT,
  payForeignOrder,
  payInAnotherCoin,
  payTooMuch,
  type Player,
  requestWithdrawal,
  rowOf,
  test,
  toastTitled,
} from "./admin-support";
import { clickTwice, expectAccessible } from "./support";
import type { Page } from "@playwright/test";

// Decisions about money: withdrawals, manually confirmed payments, and reviews.

test("a withdrawal is approved once, even on a double click", async ({ page, newPlayer }) => {
  const player = await newPlayer();
  const id = await requestWithdrawal(player, "25.00");
  await openPanel(page, `?tab=withdrawals&search=${player.username}`);
  const row = rowOf(page, "Withdrawal requests", player.username);
  await row.getByRole("button", { name: "Approve" }).click();
  const dialog = page.getByRole("dialog", { name: "Approve Withdrawal" });
  await expect(dialog).toContainText("cannot be undone");
  for (const text of [player.username, "$25.00", "$0.25", "$24.75", "BTC"]) await expect(dialog).toContainText(text);
  expect((await dialog.locator("code").innerText()).replaceAll(/\s/g, "")).toBe(BTC_ADDRESS);
  await expectAccessible(page);
  let processed = 0;
  page.on("request", (request) => void (request.url().endsWith("/process") && (processed += 1)));
  await clickTwice(dialog.getByRole("button", { name: "Approve Withdrawal" }));
  await expect(toastTitled(page, "Success")).toContainText("Withdrawal request processed successfully");
  await expect(row).toContainText("Approved");
  await expect(row.getByRole("button", { name: /Approve|Reject/ })).toHaveCount(0);
  expect(processed).toBe(1);
  expect(await balanceOf(player)).toBe("75.00");
  await page.goto(`/admin?tab=logs&search=${player.username}`);
  await expect(rowOf(page, "Admin logs", `withdrawal ${id} of 25.00: pending → approved`)).toContainText(
    "Withdrawal approved",
  );
});

test("a rejected withdrawal returns the money and shows the reason", async ({ page, newPlayer }) => {
  const player = await newPlayer();
  await requestWithdrawal(player, "25.00");
  expect(await balanceOf(player)).toBe("75.00");
  await openPanel(page, `?tab=withdrawals&search=${player.username}`);
  const row = rowOf(page, "Withdrawal requests", player.username);
  await row.getByRole("button", { name: "Reject" }).click();
  const dialog = page.getByRole("dialog", { name: "Reject Withdrawal" });
  await dialog.getByLabel("Rejection Reason").fill("   ");
  await dialog.getByRole("button", { name: "Reject Withdrawal" }).click();
  await expect(toastTitled(page, "Error")).toContainText("Please provide a reason for rejection");
  await expectAccessible(page);
  await dialog.getByLabel("Rejection Reason").fill("Address of an exchange");
  await dialog.getByRole("button", { name: "Reject Withdrawal" }).click();
  await expect(row).toContainText("Rejected");
  await expect(row).toContainText("Address of an exchange");
  expect(await balanceOf(player)).toBe("100.00");
  // Reloading the list removes the decided request from the pending ones.
  await page.getByRole("button", { name: "Refresh withdrawal requests" }).click();
  await expect(row).toHaveCount(0);
  await expect(page.getByText("No withdrawal requests found matching your filters")).toBeVisible();
});

test("a withdrawal decided in another tab shows that decision", async ({ page, newPlayer, context }) => {
  const player = await newPlayer();
  await requestWithdrawal(player, "25.00");
  const address = `?tab=withdrawals&status=all&search=${player.username}`;
  await openPanel(page, address);
  const row = rowOf(page, "Withdrawal requests", player.username);
  await row.getByRole("button", { name: "Approve" }).click();
  const other = await context.newPage();
  await other.goto(`/admin${address}`);
  await rowOf(other, "Withdrawal requests", player.username).getByRole("button", { name: "Reject" }).click();
  await other.getByLabel("Rejection Reason").fill("The other was first");
  await other.getByRole("dialog").getByRole("button", { name: "Reject Withdrawal" }).click();
  await expect(toastTitled(other, "Success")).toContainText("Withdrawal request processed successfully");
  await other.close();

  await page.getByRole("dialog").getByRole("button", { name: "Approve Withdrawal" }).click();
  await expect(toastTitled(page, "Error")).toContainText("This withdrawal was already rejected");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(row).toContainText("The other was first");
  expect(await balanceOf(player)).toBe("100.00");
});

/** Completes the dialog up to its last button, which the caller presses. */
async function fillConfirmation(page: Page, { id, username }: Player, amount: string, proposed = "0.00") {
  const dialog = page.getByRole("dialog", { name: "Manually Confirm Payment" });
  await expect(dialog.getByLabel("Amount ($)")).toHaveValue(proposed);
  await expect(dialog.getByLabel("Currency")).toHaveValue("USDT");
  await dialog.getByLabel("User ID").fill(String(id));
  await dialog.getByLabel("Amount ($)").fill(amount);
  await dialog.getByLabel("Reason").fill("It has arrived");
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(dialog).toContainText(username);
  return dialog.getByRole("button", { name: `Credit $${amount}` });
}

test("a checked payment can be confirmed manually once", async ({ page, newPlayer }) => {
  const player = await newPlayer("0.00");
  const payment = await beginPayment(player);
  await openPanel(page, `?tab=payments&search=${payment.id}`);
  await page.getByRole("button", { name: "Check Status" }).click();
  await expect(toastTitled(page, "Error")).toContainText("Please enter a payment ID");
  await page.getByLabel("Payment ID", { exact: true }).fill(payment.id);
  await page.getByRole("button", { name: "Check Status" }).click();
  await expect(toastTitled(page, "Payment Status Checked")).toContainText(`Payment ${payment.id} is waiting`);
  const result = page.getByRole("region", { name: `Payment ${payment.id}` });
  for (const text of ["Payment ID", "API Status", "waiting", "Local Status", `#${player.id}`, "Last Checked"])
    await expect(result).toContainText(text);

  await result.getByRole("button", { name: "Manually Confirm Payment" }).click();
  const dialog = page.getByRole("dialog", { name: "Manually Confirm Payment" });
  await dialog.getByLabel("User ID").fill("");
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(toastTitled(page, "Error")).toContainText("User ID is required to confirm a payment");
  await dialog.getByLabel("User ID").fill(String(player.id));
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(toastTitled(page, "Error")).toContainText("Please enter a valid amount (> 0)");
  await expectAccessible(page);
  const credit = await fillConfirmation(page, player, "12.34");
  await expect(dialog).toContainText("$0.00 → becomes $12.34");
  await expectAccessible(page);
  await clickTwice(credit);
  await expect(toastTitled(page, "Success")).toContainText(`Payment ${payment.id} has been manually confirmed`);
  expect(await balanceOf(player)).toBe("12.34");
  await expect(result).toContainText("$12.34 credited");
  await expect(result.getByRole("button", { name: "Manually Confirm Payment" })).toBeFocused();

  await result.getByRole("button", { name: "Manually Confirm Payment" }).click();
  await (await fillConfirmation(page, player, "12.34")).click();
  await expect(toastTitled(page, "Error")).toContainText("This payment was already processed: $12.34 was credited");
  expect(await balanceOf(player)).toBe("12.34");

  // A later credit by the provider is added to it, and not applied twice.
  await payment.act({ action: "pay_full" });
  await expect.poll(() => balanceOf(player), SETTLE_TIMEOUT).toBe("25.00");
});

test("checking an invoice ID shows its payment", async ({ page, newPlayer }) => {
  const invoice = (await newInvoice(await newPlayer())).split("/").at(-1) ?? "";
  await openPanel(page, `?tab=payments&search=${invoice}`);
  await page.getByLabel("Payment ID", { exact: true }).fill(invoice);
  await page.keyboard.press("Enter");
  await expect(toastTitled(page, "Payment Status Checked")).toContainText(`Payment ${invoice} is waiting`);
  await expect(page.getByRole("region", { name: `Invoice ${invoice}` })).toContainText("Not processed");
  const row = rowOf(page, "Active payments", invoice);
  await expect(row).toContainText("invoice");
  await row.getByRole("button", { name: "Check Now" }).click();
  await expect(page.getByRole("heading", { name: `Invoice ${invoice}` })).toBeFocused();
});

test("an unknown payment ID is reported, and can be searched for as an order ID", async ({
  page,
  newPlayer,
  administrator,
}) => {
  const player = await newPlayer();
  const payment = await beginPayment(player);
  // Checking the payment records it.
  const { order_id: order } = (await (await administrator.post(`/api/admin/check-payment/${payment.id}`)).json()) as {
    order_id: string;
  };
  await openPanel(page, "?tab=payments");
  await page.getByLabel("Payment ID", { exact: true }).fill(order);
  await page.keyboard.press("Enter");
  await expect(toastTitled(page, "Error")).toContainText("Payment not found");
  await expect(
    page.getByText(`Neither the provider nor the house has a payment or an invoice with the ID ${order}.`),
  ).toBeVisible();
  await page.getByRole("button", { name: "Search active payments" }).click();
  await expect(page.getByRole("table", { name: "Active payments" }).getByRole("row")).toHaveCount(2);
  await expect(rowOf(page, "Active payments", order)).toContainText(payment.id);
  await expectAccessible(page);
});

test("the rest of an overpayment can be confirmed, and no more than that", async ({
  page,
  newPlayer,
  administrator,
}) => {
  const player = await newPlayer("0.00");
  const { id, rest } = await payTooMuch(administrator, player);
  const before = Math.round(Number(await balanceOf(player)) * 100);
  const restCents = Math.round(Number(rest) * 100);
  expect(restCents).toBeGreaterThan(1);
  await openPanel(page, `?tab=payments&search=${id}`);
  const row = rowOf(page, "Active payments", id);
  await expect(row).toContainText("needs attention");
  const opener = row.getByRole("button", { name: "Confirm" });
  await opener.click();
  const dialog = page.getByRole("dialog", { name: "Manually Confirm Payment" });
  await expect(dialog).toContainText(`At most $${rest} is left to credit`);
  await dialog.getByLabel("Amount ($)").fill(((restCents + 1) / 100).toFixed(2));
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(toastTitled(page, "Error")).toContainText(`At most $${rest} of this payment is left to credit`);
  // Go to the review step, back, and out: the focus returns to the button that opened the dialog.
  await dialog.getByLabel("Amount ($)").fill(rest);
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(toastTitled(page, "Error")).toContainText("A reason is required");
  await dialog.getByLabel("Reason").fill("It has arrived");
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(dialog).toContainText("cannot be undone");
  await dialog.getByRole("button", { name: "Back" }).click();
  await expect(dialog.getByLabel("Amount ($)")).toHaveValue(rest);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(opener).toBeFocused();
  await opener.click();
  await dialog.getByLabel("Reason").fill("It has arrived");
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(dialog).toContainText("cannot be undone");
  await page.keyboard.press("Escape");
  await expect(opener).toBeFocused();

  await opener.click();
  // It is more than the payment can be worth by the rules, so one person cannot credit it.
  await clickTwice(await fillConfirmation(page, player, rest, rest));
  const alert = dialog.getByRole("alert");
  await expect(alert).toContainText("Crediting more than the payment can be worth needs a second person.");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Propose" }).click();
  await expect(toastTitled(page, "Error")).toContainText("Nobody else could approve this.");
  await expect(dialog).toBeVisible();
  expect(Math.round(Number(await balanceOf(player)) * 100)).toBe(before);
});

test("a payment in the wrong coin needs manual confirmation, which works once", async ({
  page,
  newPlayer,
  administrator,
}) => {
  const player = await newPlayer("0.00");
  const payment = await payInAnotherCoin(administrator, player);
  await openPanel(page, `?tab=payments&search=${payment}`);
  const row = rowOf(page, "Active payments", payment);
  await expect(row).toContainText("needs attention");
  await expect(row).toContainText("Not processed");
  await row.getByRole("button", { name: "Confirm" }).click();
  await (await fillConfirmation(page, player, "2.00")).click();
  await expect(toastTitled(page, "Success")).toContainText(`Payment ${payment} has been manually confirmed`);
  expect(await balanceOf(player)).toBe("27.00");
  // The payment is final, so its review is gone too.
  await expect(row).toHaveCount(0);
  await expect(page.getByRole("button", { name: `Resolve the review of ${payment}` })).toHaveCount(0);
  const again = await administrator.post("/api/admin/confirm-payment", {
    data: { invoiceId: payment, userId: player.id, amount: "2.00", currency: "LTC", reason: "Again" },
  });
  expect(again.status()).toBe(409);
  expect(await balanceOf(player)).toBe("27.00");
});

test("an unmatched payment can be confirmed once for the player who claims it", async ({
  page,
  newPlayer,
  administrator,
}) => {
  const apiKey = process.env.GLASSHOUSE_E2E_SANDBOX_KEY ?? "";
  test.skip(
    apiKey === "",
    "only the sandbox's own API makes an invoice that is not the house's: set GLASSHOUSE_E2E_SANDBOX_KEY",
  );
  const player = await newPlayer("0.00");
  const payment = await payForeignOrder(administrator, player, apiKey);
  await openPanel(page, `?tab=payments&standing=orphan&search=${payment}`);
  const row = rowOf(page, "Active payments", payment);
  await expect(row).toContainText("orphan");
  await expect(row).toContainText(`not-ours-${player.id}`);
  await expect(row).toContainText("Unknown");
  await row.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByRole("dialog").getByLabel("User ID")).toHaveValue("");
  const credit = await fillConfirmation(page, player, "15.00");
  await clickTwice(credit);
  await expect(toastTitled(page, "Success")).toContainText(`Payment ${payment} has been manually confirmed`);
  await expect(row).toHaveCount(0);
  expect(await balanceOf(player)).toBe("15.00");
  const again = await administrator.post("/api/admin/confirm-payment", {
    data: { invoiceId: payment, userId: player.id, amount: "15.00", currency: "USDT", reason: "Again" },
  });
  expect(again.status()).toBe(409);
  expect(await balanceOf(player)).toBe("15.00");
});

test("a review is resolved with a note", async ({ page, newPlayer, administrator }) => {
  const payment = await payInAnotherCoin(administrator, await newPlayer("0.00"));
  await openPanel(page, `?tab=payments&search=${payment}`);
  const waiting = rowOf(page, "Active payments", payment).filter({ hasText: "needs attention" });
  await expect(waiting).toHaveCount(1);
  const whole = page.getByRole("button", { name: /^Show all \d+\+? reviews/ });
  await expect(page.getByRole("heading", { name: "A different coin was sent" }).first()).toBeVisible();
  const item = page
    .getByRole("listitem")
    .filter({ has: page.getByRole("button", { name: `Resolve the review of ${payment}` }) });
  // Other journeys can bring further ones at any time, and only the first three are shown.
  await expect(async () => {
    if (await whole.isVisible()) await whole.click({ timeout: 1000 });
    await expect(item).toContainText("What you can do", { timeout: 1000 });
  }).toPass();
  await item.getByRole("button", { name: `Resolve the review of ${payment}` }).click();
  const dialog = page.getByRole("dialog", { name: "Resolve Review" });
  await dialog.getByRole("button", { name: "Resolve" }).click();
  await expect(toastTitled(page, "Error")).toContainText("Please describe the outcome");
  await expectAccessible(page);
  await dialog.getByLabel("What was done").fill("Sent back by the provider");
  await dialog.getByRole("button", { name: "Resolve" }).click();
  await expect(toastTitled(page, "Success")).toContainText("The review has been resolved");
  await expect(page.getByRole("listitem").filter({ hasText: payment })).toContainText("Sent back by the provider");
  await expect(waiting).toHaveCount(0);
  await page.getByRole("combobox", { name: "Reviews" }).selectOption("Resolved");
  await expect(page.getByRole("listitem").filter({ hasText: payment })).toContainText("Sent back by the provider");
});
