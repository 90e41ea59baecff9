import type { Locator, Page } from "@playwright/test";
import type { ErrorBody } from "@/api/error";
import { clickTwice, expect, expectAccessible, signInAsPlayer, test } from "./support";

const BTC_ADDRESS = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
/** A status is asked for every five seconds, and the payment itself takes a moment. */
const PATIENCE = { timeout: 120_000 };

type Deposit = { status: string; creditedAmount: string; invoiceId: string; invoiceUrl: string };

/** A toast, also one beside a dialog, which hides all else from assistive technology but not from eyes. */
const toastTitled = (page: Page, title: string): Locator =>
  page.locator("li").filter({ hasText: title }).filter({ has: page.locator("button[aria-label=Dismiss]") });
const balance = (page: Page) => page.getByTestId("balance");
const header = (page: Page) => page.getByRole("banner");
const depositsOf = async (page: Page) => (await (await page.context().request.get("/api/deposits")).json()) as Deposit[];
const withdrawalsOf = async (page: Page) => (await (await page.context().request.get("/api/withdraw-requests")).json()) as { status: string; amount: string }[];
const panel = (page: Page, title: string) => page.getByRole("region", { name: title });

async function openDialog(page: Page, name: "Deposit" | "Withdraw"): Promise<Locator> {
  await expect(balance(page)).toBeVisible();
  const button = header(page).getByRole("button", { name, exact: true });
  if (await button.isVisible()) await button.click();
  else {
    await page.getByRole("button", { name: "Open menu" }).click();
    await page.getByRole("dialog").getByRole("button", { name, exact: true }).click();
  }
  const dialog = page.getByRole("dialog", { name, exact: true });
  await expect(dialog).toBeVisible();
  return dialog;
}

/** Fills in the form and waits for the invoice. */
async function createInvoice(page: Page, amount: string): Promise<Locator> {
  const form = await openDialog(page, "Deposit");
  await form.getByLabel("Amount (USD)").fill(amount);
  await form.getByRole("button", { name: "Create Invoice" }).click();
  await expect(toastTitled(page, "Invoice Created")).toHaveCount(1);
  const invoice = page.getByRole("dialog", { name: "Complete your deposit" });
  await expect(invoice.getByRole("link", { name: "Open Payment Page" })).toBeVisible();
  return invoice;
}

/** The provider's page in its own tab, with a payment begun. */
async function openPaymentPage(page: Page, invoice: Locator): Promise<Page> {
  const popup = page.waitForEvent("popup");
  await invoice.getByRole("link", { name: "Open Payment Page" }).click();
  const payment = await popup;
  expect(payment.url()).toContain(process.env.GLASSHOUSE_E2E_SANDBOX_URL ?? "/pay/");
  await payment.getByRole("button", { name: "Continue" }).click();
  await expect(payment.getByRole("button", { name: "Pay in full" })).toBeVisible();
  return payment;
}

/** Deposits and pays without the screen, for what needs a deposit to be there. */
async function depositByCalls(page: Page, amount: string): Promise<void> {
  const { request } = page.context();
  const created = await request.post("/api/deposits/create", { data: { amount, cryptoCurrency: "usdtsol" } });
  expect(created.status()).toBe(201);
  const { invoiceUrl, deposit } = (await created.json()) as { invoiceUrl: string; deposit: Deposit };
  await request.post(`${invoiceUrl}/open`, { form: { currency: "usdtsol" } });
  const payment = /payments\/(\d+)/.exec(await (await request.get(invoiceUrl)).text())?.[1];
  await request.post(`${invoiceUrl}/payments/${payment}`, { form: { action: "pay_full" } });
  await expect
    .poll(async () => ((await (await request.get(`/api/deposits/${deposit.invoiceId}/status`)).json()) as { processed: boolean }).processed, PATIENCE)
    .toBe(true);
}

test("a deposit in full, from the header to the balance", async ({ page, administrator }) => {
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
  await payment.getByRole("button", { name: "Pay in full" }).click();
  await expect(toastTitled(page, "Deposit Successful!")).toHaveCount(1, PATIENCE);
  const reloaded = page.waitForEvent("load");
  await expect(invoice.getByRole("button", { name: "Done" })).toBeVisible();
  await reloaded;
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(balance(page)).toHaveText("$100.00");
  expect(await depositsOf(page)).toMatchObject([{ status: "completed", creditedAmount: "100.00" }]);
});

test("a partial payment is credited, and the rest completes it", async ({ page, administrator }) => {
  // The dialog stays for as long as axe needs.
  await page.addInitScript(() => {
    const wait = window.setTimeout.bind(window);
    const patient = (run: () => void, milliseconds?: number) => wait(run, milliseconds === 2000 ? 60_000 : milliseconds);
    window.setTimeout = patient as typeof window.setTimeout;
  });
  await signInAsPlayer(page, administrator, "0.00");
  await page.goto("/dashboard");
  const invoice = await createInvoice(page, "100");
  const payment = await openPaymentPage(page, invoice);
  await payment.getByRole("button", { name: "Pay this much" }).click();
  await expect(toastTitled(page, "Partial Payment Detected!")).toHaveCount(1, PATIENCE);
  await expect(invoice.getByText("$50.00 of $100.00 was credited. You can send the rest to the same payment page.")).toBeVisible();
  await expect(invoice.getByRole("button", { name: "OK" })).toBeVisible();
  await expect(balance(page)).toHaveText("$50.00");
  await expectAccessible(page);

  await payment.getByRole("button", { name: "Pay in full" }).click();
  await expect(toastTitled(page, "Deposit Successful!")).toHaveCount(1, PATIENCE);
  await expect(balance(page)).toHaveText("$100.00");
  await expectAccessible(page);
  const reloaded = page.waitForEvent("load");
  await invoice.getByRole("button", { name: "Done" }).click();
  await reloaded;
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("a payment that expires is told, and stands in the list", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator, "0.00");
  await page.goto("/dashboard?tab=account");
  const invoice = await createInvoice(page, "100");
  const payment = await openPaymentPage(page, invoice);
  await payment.getByRole("button", { name: "Let it expire", exact: true }).click();
  await expect(toastTitled(page, "Deposit Failed")).toContainText("Your payment could not be processed. Please try again.", PATIENCE);
  await expect(invoice.getByRole("link", { name: "Open Payment Page" })).toHaveCount(0);
  await expectAccessible(page);
  await invoice.getByRole("button", { name: "Close" }).last().click();
  await expect(invoice).toHaveCount(0);
  await expect(panel(page, "Deposits").getByText("Failed")).toBeVisible();
  await expect(balance(page)).toHaveText("$0.00");
});

test("cancelling asks first, whatever way it is done, and forgets the form", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator, "0.00");
  await page.goto("/dashboard");
  const invoice = await createInvoice(page, "100");
  // Escape closes a toast before it closes what is under it.
  await toastTitled(page, "Invoice Created").locator("button").click();
  await expect(toastTitled(page, "Invoice Created")).toHaveCount(0);
  const question = page.getByRole("dialog", { name: "Stop waiting for this deposit?" });
  const ways = [
    () => invoice.getByRole("button", { name: "Cancel" }).click(),
    () => invoice.getByRole("button", { name: "Close" }).click(),
    () => page.keyboard.press("Escape"),
    () => page.mouse.click(5, 5),
  ];
  for (const close of ways) {
    await close();
    await expect(question.getByText("A payment that you have already sent will still be credited")).toBeVisible();
    await question.getByRole("button", { name: "Keep waiting" }).click();
    await expect(question).toHaveCount(0);
    await expect(invoice).toBeVisible();
  }
  await invoice.getByRole("button", { name: "Cancel" }).click();
  await expectAccessible(page);
  await question.getByRole("button", { name: "Close, keep the invoice" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  const form = await openDialog(page, "Deposit");
  await expect(form.getByLabel("Amount (USD)")).toHaveValue("");
  await expect(form.getByRole("combobox", { name: "Currency" })).toHaveValue("usdtsol");
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
  await expect(toastTitled(page, "Partial Payment Detected!")).toHaveCount(1, PATIENCE);
  await invoice.getByRole("button", { name: "OK" }).click();
  await expect(invoice).toHaveCount(0);

  // Opened again it is at once where it was.
  await list.getByRole("button", { name: /^Reopen the deposit/ }).click();
  await expect(invoice.getByText("$40.00 of $80.00 was credited.")).toBeVisible();
  await payment.getByRole("button", { name: "Pay in full" }).click();
  await expect(toastTitled(page, "Deposit Successful!")).toHaveCount(1, PATIENCE);
  await expect(page.getByRole("dialog")).toHaveCount(0, PATIENCE);
  await expect(page).toHaveURL(/tab=account$/);
  await expect(balance(page)).toHaveText("$80.00");
  await expect(list.getByText("Completed", { exact: true }).locator("visible=true").first()).toBeVisible();
});

test("amounts in other forms are refused in both dialogs", async ({ page, administrator }) => {
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

type Coin = { label: string; minimumDeposit: string; isAvailable: boolean | null };

/** What is taken of each coin, once the house has asked the provider. */
async function coinsOf(page: Page): Promise<Coin[]> {
  const ask = async () => (await (await page.context().request.get("/api/cryptocurrencies")).json()) as Coin[];
  await expect.poll(async () => (await ask()).every(({ isAvailable }) => isAvailable !== null)).toBe(true);
  return ask();
}

test("both dialogs offer what the server takes", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  const listed = await coinsOf(page);
  await page.goto("/dashboard");
  for (const [name, chosen] of [["Deposit", "usdtsol"], ["Withdraw", "btc"]] as const) {
    const dialog = await openDialog(page, name);
    const currency = dialog.getByRole("combobox", { name: "Currency" });
    await expect(currency).toHaveValue(chosen);
    await expect(currency.getByRole("option")).toContainText(listed.map(({ label }) => label));
    if (name === "Deposit") await expect(currency.getByRole("option")).toContainText(listed.map(({ minimumDeposit }) => `from $${minimumDeposit}`));
    await currency.selectOption("eth");
    await expect(currency).toHaveValue("eth");
    await dialog.getByRole("button", { name: "Close" }).click();
  }
  await page.route("**/api/cryptocurrencies", (route) => route.fulfill({ status: 404, json: { message: "no", code: "not_found" } satisfies ErrorBody }));
  await page.reload();
  const dialog = await openDialog(page, "Deposit");
  await expect(dialog.getByText("Failed to load cryptocurrencies")).toBeVisible();
  await expectAccessible(page);
});

test("a fourth unpaid deposit is refused, and the three that wait are opened again from there", async ({ page, administrator, context }) => {
  await signInAsPlayer(page, administrator);
  for (const amount of ["10.00", "20.00", "30.00"]) {
    const made = await page.context().request.post("/api/deposits/create", { data: { amount, cryptoCurrency: "ltc" } });
    expect(made.status()).toBe(201);
  }
  // A page of its own: the browser reports the 422 that is wanted here as a mistake.
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

test("a deposit beyond the operator's limit is refused and its field marked", async ({ page, administrator, context }) => {
  await signInAsPlayer(page, administrator);
  await coinsOf(page);
  // A page of its own: the browser reports the 422 that is wanted here as a mistake.
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

test("a withdrawal is refused in order, and nothing is held", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await depositByCalls(page, "30.00");
  await page.goto("/dashboard");
  const dialog = await openDialog(page, "Withdraw");
  await expect(dialog.getByText("$100.00")).toBeVisible();
  await expect(dialog.getByText("$130.00")).toBeVisible();
  await expectAccessible(page);
  // The currency cannot be left out here: one is always chosen.
  const cases = [
    ["0", "", "Invalid Amount", "Please enter a valid withdrawal amount."],
    ["19.99", "", "Minimum Withdrawal", "The minimum withdrawal amount is $20.00."],
    ["500", "  ", "Wallet Address Required", "Please enter a valid wallet address"],
    ["130.01", "nonsense", "Insufficient Balance", "Your withdrawal amount exceeds your available balance."],
    ["100.01", "nonsense", "Withdrawal Limit Exceeded", "You can only withdraw funds that have been wagered. Please play more games first."],
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

test("an address that is none of the currency is refused by the server, and marked", async ({ page, administrator, context }) => {
  await signInAsPlayer(page, administrator);
  // A page of its own: the browser reports the 400 that is wanted here as a mistake.
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

test("a withdrawal says what it costs, and is held and listed", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await page.goto("/dashboard?tab=account");
  await expect(panel(page, "Withdrawals").getByText("No withdrawals yet")).toBeVisible();
  await expect(panel(page, "Deposits").getByText("No deposits yet")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Withdraw Crypto" }).click();
  const dialog = page.getByRole("dialog", { name: "Withdraw" });
  for (const note of ["1% processing fee on all withdrawals", "Manual processing takes 24-48 hours", "Only wagered funds can be withdrawn", "Minimum $20.00"]) {
    await expect(dialog.getByText(note)).toBeVisible();
  }
  await dialog.getByRole("button", { name: "Withdraw all that is available" }).click();
  await expect(dialog.getByLabel("Amount (USD)")).toHaveValue("100.00");
  await dialog.getByLabel("Amount (USD)").fill("25.01");
  await expect(dialog.getByText("$0.26")).toBeVisible();
  await expect(dialog.getByText("$24.75")).toBeVisible();
  await dialog.getByLabel("Wallet address").fill(` ${BTC_ADDRESS} `);
  await clickTwice(dialog.getByRole("button", { name: "Request Withdrawal" }));
  await expect(toastTitled(page, "Withdrawal Requested")).toContainText("Your withdrawal request has been submitted for processing.");
  await expect(dialog).toHaveCount(0);
  await expect(balance(page)).toHaveText("$74.99");
  expect(await withdrawalsOf(page)).toMatchObject([{ status: "pending", amount: "25.01" }]);
  const list = panel(page, "Withdrawals");
  await expect(list.getByText("$25.01")).toBeVisible();
  await expect(list.getByText(BTC_ADDRESS).locator("visible=true")).toBeVisible();
  await expect(list.getByText("Pending")).toBeVisible();
  await expectAccessible(page);
});

test("bets take the wagering down, deposit by deposit", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator, "0.00");
  await depositByCalls(page, "40.00");
  await depositByCalls(page, "60.00");
  const stake = await page.context().request.post("/api/dice/play", { data: { betAmount: "50.00", targetNumber: 50, betType: "over" } });
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
  await dialog.getByRole("button", { name: "How far your deposits are wagered" }).click();
  await expect(dialog.getByText("$10.00 of $60.00 wagered")).toBeVisible();
  await expectAccessible(page);
});
