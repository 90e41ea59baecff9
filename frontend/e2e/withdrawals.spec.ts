import { clickTwice, expect, expectAccessible, signInAsPlayer, test } from "./support";
import { BTC_ADDRESS, toastTitled, balance, withdrawalsOf, panel, openDialog, depositByCalls } from "./wallet-support";

test("withdrawal rules apply in order, and a refused request holds no money", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await depositByCalls(page, "30.00");
  await page.goto("/dashboard");
  const dialog = await openDialog(page, "Withdraw");
  await expect(dialog.getByText("$100.00")).toBeVisible();
  await expect(dialog.getByText("$130.00")).toBeVisible();
  await expectAccessible(page);
  // The currency cannot be omitted here: one is always selected.
  const cases = [
    ["0", "", "Invalid Amount", "Please enter a valid withdrawal amount."],
    ["19.99", "", "Minimum Withdrawal", "The minimum withdrawal amount is $20.00."],
    ["500", "  ", "Wallet Address Required", "Please enter a valid wallet address"],
    ["130.01", "nonsense", "Insufficient Balance", "Your withdrawal amount exceeds your available balance."],
    [
      "100.01",
      "nonsense",
      "Withdrawal Limit Exceeded",
      "You can only withdraw funds that have been wagered. Please play more games first.",
    ],
  ];
  for (const [amount = "", address = "", title = "", text = ""] of cases) {
    await dialog.getByLabel("Amount (USD)").fill(amount);
    await dialog.getByLabel("Wallet address").fill(address);
    await dialog.getByRole("button", { name: "Request Withdrawal" }).click();
    await expect(toastTitled(page, title)).toContainText(text);
    await expect(dialog.locator("[aria-invalid=true]")).toHaveCount(1);
  }
  await expectAccessible(page);
  expect(await withdrawalsOf(page)).toEqual([]);
  await expect(balance(page)).toHaveText("$130.00");
});

test("the server refuses an address of another currency, and the field is marked", async ({
  page,
  administrator,
  context,
}) => {
  await signInAsPlayer(page, administrator);
  // A separate page, because the browser logs the expected 400 as an error.
  const refused = await context.newPage();
  await refused.goto("/dashboard");
  const dialog = await openDialog(refused, "Withdraw");
  await dialog.getByLabel("Amount (USD)").fill("100");
  await dialog.getByLabel("Wallet address").fill("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed");
  await dialog.getByRole("button", { name: "Request Withdrawal" }).click();
  await expect(toastTitled(refused, "Error")).toContainText("This is not a valid BTC address");
  await expect(dialog.getByLabel("Wallet address")).toHaveAttribute("aria-invalid", "true");
  await expectAccessible(refused);
  expect(await withdrawalsOf(refused)).toEqual([]);
  await expect(balance(refused)).toHaveText("$100.00");
});

test("a withdrawal shows its cost and is held and listed @both", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await page.goto("/dashboard?tab=account");
  await expect(panel(page, "Withdrawals").getByText("No withdrawals yet")).toBeVisible();
  await expect(panel(page, "Deposits").getByText("No deposits yet")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Withdraw Crypto" }).click();
  const dialog = page.getByRole("dialog", { name: "Withdraw" });
  for (const note of [
    "1% processing fee on all withdrawals",
    "Manual processing takes 24-48 hours",
    "Only wagered funds can be withdrawn",
    "Minimum $20.00",
  ]) {
    await expect(dialog.getByText(note)).toBeVisible();
  }
  await dialog.getByRole("button", { name: "Withdraw the full available amount" }).click();
  await expect(dialog.getByLabel("Amount (USD)")).toHaveValue("100.00");
  await dialog.getByLabel("Amount (USD)").fill("25.01");
  await expect(dialog.getByText("$0.26")).toBeVisible();
  await expect(dialog.getByText("$24.75")).toBeVisible();
  await dialog.getByLabel("Wallet address").fill(` ${BTC_ADDRESS} `);
  await clickTwice(dialog.getByRole("button", { name: "Request Withdrawal" }));
  await expect(toastTitled(page, "Withdrawal Requested")).toContainText(
    "Your withdrawal request has been submitted for processing.",
  );
  await expect(dialog).toHaveCount(0);
  await expect(balance(page)).toHaveText("$74.99");
  expect(await withdrawalsOf(page)).toMatchObject([{ status: "pending", amount: "25.01" }]);
  const list = panel(page, "Withdrawals");
  await expect(list.getByText("$25.01")).toBeVisible();
  await expect(list.getByText(BTC_ADDRESS).locator("visible=true")).toBeVisible();
  await expect(list.getByText("Pending")).toBeVisible();
  await expectAccessible(page);
});

test("bets reduce the wagering requirement, deposit by deposit", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator, "0.00");
  await depositByCalls(page, "40.00");
  await depositByCalls(page, "60.00");
  const stake = await page
    .context()
    .request.post("/api/dice/play", { data: { betAmount: "50.00", targetNumber: 50, betType: "over" } });
  expect(stake.ok()).toBe(true);
  await page.goto("/dashboard?tab=account");
  const rule = panel(page, "What you can withdraw");
  await expect(rule.getByText("$10.00 of $60.00 wagered")).toBeVisible();
  await expect(rule.getByText("$50.00 to go")).toBeVisible();
  await expect(rule.getByText("$40.00 of $40.00 wagered")).toBeVisible();
  await expect(rule.getByRole("progressbar")).toHaveCount(2);
  await expect(rule.getByText("−$50.00")).toBeVisible();
  await expectAccessible(page);

  const dialog = await openDialog(page, "Withdraw");
  await dialog.getByRole("button", { name: "Wagering progress of your deposits" }).click();
  await expect(dialog.getByText("$10.00 of $60.00 wagered")).toBeVisible();
  await expectAccessible(page);
});
