import type { Page } from "@playwright/test";
import type { ErrorBody } from "@/api/error";
import type { components } from "@/api/schema";
import { clickTwice, expect, expectAccessible, signInAsPlayer, test } from "./support";
import {
  SETTLE_TIMEOUT,
  toastTitled,
  balance,
  depositsOf,
  withdrawalsOf,
  panel,
  openDialog,
  createInvoice,
  openPaymentPage,
} from "./wallet-support";

test("a full deposit, from the header to the balance @both", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator, "0.00");
  await page.goto("/dashboard");
  const form = await openDialog(page, "Deposit");
  await expect(form.getByText("A transfer on the wrong network may lose your funds.")).toBeVisible();
  await expect(form.getByText("Blockchain confirmation is expected in 5-10 minutes.")).toBeVisible();
  await expectAccessible(page);
  await form.getByLabel("Amount (USD)").fill("100");
  await clickTwice(form.getByRole("button", { name: "Create Invoice" }));
  const invoice = page.getByRole("dialog", { name: "Complete your deposit" });
  await expect(invoice.getByRole("img", { name: "QR code of the payment page" })).toBeVisible();
  await expect(invoice.getByRole("button", { name: "Cancel" })).toBeVisible();
  await expectAccessible(page);
  expect(await depositsOf(page)).toHaveLength(1);
  await expect(balance(page)).toHaveText("$0.00");

  const payment = await openPaymentPage(page, invoice);
  // The next journey looks at the message before the reload, which is shown for longer there.
  const reloaded = page.waitForEvent("load");
  await payment.getByRole("button", { name: "Pay in full" }).click();
  await reloaded;
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(balance(page)).toHaveText("$100.00");
  expect(await depositsOf(page)).toMatchObject([{ status: "completed", creditedAmount: "100.00" }]);
});

test("a partial payment is credited, and paying the rest completes it @both", async ({ page, administrator }) => {
  // Keep the dialog open for as long as axe needs.
  await page.addInitScript(() => {
    const wait = window.setTimeout.bind(window);
    const patient = (run: () => void, milliseconds?: number) =>
      wait(run, milliseconds === 2000 ? 60_000 : milliseconds);
    window.setTimeout = patient as typeof window.setTimeout;
  });
  await signInAsPlayer(page, administrator, "0.00");
  await page.goto("/dashboard");
  const invoice = await createInvoice(page, "100");
  const payment = await openPaymentPage(page, invoice);
  await payment.getByRole("button", { name: "Pay this much" }).click();
  await expect(toastTitled(page, "Partial Payment Detected!")).toHaveCount(1, SETTLE_TIMEOUT);
  await expect(
    invoice.getByText("$50.00 of $100.00 was credited. You can send the rest to the same payment page."),
  ).toBeVisible();
  await expect(invoice.getByRole("button", { name: "OK" })).toBeVisible();
  await expect(balance(page)).toHaveText("$50.00");
  await expectAccessible(page);

  await payment.getByRole("button", { name: "Pay in full" }).click();
  await expect(toastTitled(page, "Deposit Successful!")).toHaveCount(1, SETTLE_TIMEOUT);
  await expect(balance(page)).toHaveText("$100.00");
  await expectAccessible(page);
  const reloaded = page.waitForEvent("load");
  await invoice.getByRole("button", { name: "Done" }).click();
  await reloaded;
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("an expired payment is announced and listed", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator, "0.00");
  await page.goto("/dashboard?tab=account");
  const invoice = await createInvoice(page, "100");
  const payment = await openPaymentPage(page, invoice);
  await payment.getByRole("button", { name: "Let it expire", exact: true }).click();
  await expect(toastTitled(page, "Deposit Failed")).toContainText(
    "Your payment could not be processed. Please try again.",
    SETTLE_TIMEOUT,
  );
  await expect(invoice.getByRole("link", { name: "Open Payment Page" })).toHaveCount(0);
  await expectAccessible(page);
  await invoice.getByRole("button", { name: "Close" }).last().click();
  await expect(invoice).toHaveCount(0);
  await expect(panel(page, "Deposits").getByText("Failed")).toBeVisible();
  await expect(balance(page)).toHaveText("$0.00");
});

test("every way to cancel asks first, and the form is cleared", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator, "0.00");
  await page.goto("/dashboard");
  const invoice = await createInvoice(page, "100");
  const question = page.getByRole("dialog", { name: "Stop waiting for this deposit?" });
  const ways = {
    "its button": () => invoice.getByRole("button", { name: "Cancel" }).click(),
    "the cross": () => invoice.getByRole("button", { name: "Close" }).click(),
    Escape: () => page.keyboard.press("Escape"),
    "a click beside it": () => page.mouse.click(5, 5),
  };
  for (const [name, close] of Object.entries(ways)) {
    await test.step(name, async () => {
      await close();
      await expect(question.getByText("A payment that you have already sent will still be credited")).toBeVisible();
      await question.getByRole("button", { name: "Keep waiting" }).click();
      await expect(question).toHaveCount(0);
      await expect(invoice).toBeVisible();
    });
  }
  await invoice.getByRole("button", { name: "Cancel" }).click();
  await expectAccessible(page);
  await question.getByRole("button", { name: "Close, keep the invoice" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  const form = await openDialog(page, "Deposit");
  await expect(form.getByLabel("Amount (USD)")).toHaveValue("");
  await expect(form.getByRole("combobox", { name: "Currency" })).toHaveValue("usdtsol");
});

test("a key or a click at once after the question is not lost", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator, "0.00");
  await page.goto("/dashboard");
  const invoice = await createInvoice(page, "100");
  const question = page.getByRole("dialog", { name: "Stop waiting for this deposit?" });
  const keepWaiting = question.getByRole("button", { name: "Keep waiting" });
  await invoice.getByRole("button", { name: "Cancel" }).click();
  for (const next of ["Escape", "click"] as const) {
    const isClosed = await keepWaiting.evaluate(async (button: HTMLElement, then) => {
      button.click();
      // Until React has rendered, which takes no task of the browser.
      for (let waits = 0; button.isConnected && waits < 100; waits += 1) await Promise.resolve();
      if (button.isConnected) return false;
      const { body } = document;
      if (then === "Escape") {
        body.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true, cancelable: true }));
        return true;
      }
      const beside = document.elementFromPoint(5, 5) ?? body;
      beside.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true, cancelable: true }));
      beside.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
      return true;
    }, next);
    expect(isClosed, "the question is closed").toBe(true);
    await expect(question, `after ${next}`).toBeVisible();
  }
});

test("a deposit survives a closed tab", async ({ page, administrator, context }) => {
  await signInAsPlayer(page, administrator, "0.00");
  const closed = await context.newPage();
  await closed.goto("/dashboard");
  await createInvoice(closed, "80");
  await closed.close();

  await page.goto("/dashboard?tab=account");
  const list = panel(page, "Deposits");
  await expect(list.getByText("$80.00").first()).toBeVisible();
  await expect(list.getByText("Pending")).toBeVisible();
  await expectAccessible(page);
  await list.getByRole("button", { name: /^Reopen the deposit of \$80\.00/ }).click();
  const invoice = page.getByRole("dialog", { name: "Complete your deposit" });
  await expect(invoice.getByText("$80.00 in USDT on Solana")).toBeVisible();
  const payment = await openPaymentPage(page, invoice);
  await payment.getByRole("button", { name: "Pay this much" }).click();
  await expect(toastTitled(page, "Partial Payment Detected!")).toHaveCount(1, SETTLE_TIMEOUT);
  await invoice.getByRole("button", { name: "OK" }).click();
  await expect(invoice).toHaveCount(0);

  // The reopened dialog shows the current stage at once.
  await list.getByRole("button", { name: /^Reopen the deposit/ }).click();
  await expect(invoice.getByText("$40.00 of $80.00 was credited.")).toBeVisible();
  const reloaded = page.waitForEvent("load");
  await payment.getByRole("button", { name: "Pay in full" }).click();
  await reloaded;
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page).toHaveURL(/tab=account$/);
  await expect(balance(page)).toHaveText("$80.00");
  await expect(list.getByText("Completed", { exact: true }).locator("visible=true").first()).toBeVisible();
});

test("both dialogs refuse malformed amounts", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await page.goto("/dashboard");
  const forms = ["", "0", "1e3", "1e2", "1,50", "1,000", "20.005", "-25", "NaN", "1".repeat(30)];
  const deposit = await openDialog(page, "Deposit");
  for (const amount of forms) {
    await deposit.getByLabel("Amount (USD)").fill(amount);
    await deposit.getByRole("button", { name: "Create Invoice" }).click();
    await expect(toastTitled(page, "Invalid Amount")).toContainText("Please enter a valid deposit amount");
    await expect(deposit.getByLabel("Amount (USD)")).toHaveAttribute("aria-invalid", "true");
  }
  await expectAccessible(page);
  await deposit.getByRole("button", { name: "Close" }).click();
  const withdraw = await openDialog(page, "Withdraw");
  for (const amount of forms) {
    await withdraw.getByLabel("Amount (USD)").fill(amount);
    await withdraw.getByRole("button", { name: "Request Withdrawal" }).click();
    await expect(toastTitled(page, "Invalid Amount")).toContainText("Please enter a valid withdrawal amount.");
  }
  expect(await depositsOf(page)).toEqual([]);
  expect(await withdrawalsOf(page)).toEqual([]);
});

type Coin = components["schemas"]["Cryptocurrency"];

/** The limits of each coin, once the server has asked the provider. */
async function coinsOf(page: Page): Promise<Coin[]> {
  const ask = async () => (await (await page.context().request.get("/api/cryptocurrencies")).json()) as Coin[];
  await expect.poll(async () => (await ask()).every(({ isAvailable }) => isAvailable !== null)).toBe(true);
  return ask();
}

test("both dialogs offer the accepted currencies", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  const listed = await coinsOf(page);
  await page.goto("/dashboard");
  for (const [name, chosen] of [
    ["Deposit", "usdtsol"],
    ["Withdraw", "btc"],
  ] as const) {
    const dialog = await openDialog(page, name);
    const currency = dialog.getByRole("combobox", { name: "Currency" });
    await expect(currency).toHaveValue(chosen);
    await expect(currency.getByRole("option")).toContainText(listed.map(({ label }) => label));
    if (name === "Deposit")
      await expect(currency.getByRole("option")).toContainText(
        listed.map(({ minimumDeposit }) => `from $${minimumDeposit}`),
      );
    await currency.selectOption("eth");
    await expect(currency).toHaveValue("eth");
    await dialog.getByRole("button", { name: "Close" }).click();
  }
  await page.route("**/api/cryptocurrencies", (route) =>
    route.fulfill({ status: 404, json: { message: "no", code: "not_found" } satisfies ErrorBody }),
  );
  await page.reload();
  const dialog = await openDialog(page, "Deposit");
  await expect(dialog.getByText("Failed to load cryptocurrencies")).toBeVisible();
  await expectAccessible(page);
});

test("a fourth unpaid deposit is refused, and the three open ones can be reopened from there", async ({
  page,
  administrator,
  context,
}) => {
  await signInAsPlayer(page, administrator);
  for (const amount of ["10.00", "20.00", "30.00"]) {
    const made = await page.context().request.post("/api/deposits/create", { data: { amount, cryptoCurrency: "ltc" } });
    expect(made.status()).toBe(201);
  }
  // A separate page, because the browser logs the expected 422 as an error.
  const refused = await context.newPage();
  await refused.goto("/dashboard");
  const dialog = await openDialog(refused, "Deposit");
  const unpaid = dialog.getByRole("region", { name: "Unpaid deposits" });
  await expect(unpaid.getByRole("listitem")).toHaveText([/\$30\.00 in LTC/, /\$20\.00 in LTC/, /\$10\.00 in LTC/]);
  await expectAccessible(refused);
  await dialog.getByLabel("Amount (USD)").fill("40");
  await dialog.getByRole("button", { name: "Create Invoice" }).click();
  await expect(toastTitled(refused, "Error")).toContainText("You have three unpaid deposits.");
  await unpaid.getByRole("button", { name: /Reopen the deposit of \$20\.00/ }).click();
  await expect(refused.getByRole("heading", { name: "Complete your deposit" })).toBeVisible();
  await expect(refused.getByText("$20.00 in LTC")).toBeVisible();
  expect(await depositsOf(refused)).toHaveLength(3);
});

test("a deposit above the operator's limit is refused and its field marked", async ({
  page,
  administrator,
  context,
}) => {
  await signInAsPlayer(page, administrator);
  await coinsOf(page);
  // A separate page, because the browser logs the expected 422 as an error.
  const refused = await context.newPage();
  await refused.goto("/dashboard");
  const dialog = await openDialog(refused, "Deposit");
  await expect(dialog.getByText("Minimum $0.50, maximum $100,000.00.")).toBeVisible();
  await dialog.getByLabel("Amount (USD)").fill("999999999");
  await dialog.getByRole("button", { name: "Create Invoice" }).click();
  await expect(toastTitled(refused, "Error")).toContainText("The maximum deposit is $100,000.00.");
  await expect(dialog.getByLabel("Amount (USD)")).toHaveAttribute("aria-invalid", "true");
  expect(await depositsOf(refused)).toEqual([]);
});
