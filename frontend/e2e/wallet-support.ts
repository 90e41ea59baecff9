import type { Locator, Page } from "@playwright/test";
import type { components } from "@/api/schema";
import { expect } from "./support";

// Shared by the deposit and withdrawal specs.

export const BTC_ADDRESS = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
/** The status is polled every five seconds, and the payment itself takes a moment. */
export const SETTLE_TIMEOUT = { timeout: 120_000 };

type Schemas = components["schemas"];

/** A toast, even next to a dialog, which hides everything else from assistive technology but not from sight. */
export const toastTitled = (page: Page, title: string): Locator =>
  page
    .locator("li")
    .filter({ hasText: title })
    .filter({ has: page.locator("button[aria-label=Dismiss]") });
export const balance = (page: Page) => page.getByTestId("balance");
export const header = (page: Page) => page.getByRole("banner");
export const depositsOf = async (page: Page) =>
  (await (await page.context().request.get("/api/deposits")).json()) as Schemas["Deposit"][];
export const withdrawalsOf = async (page: Page) =>
  (await (await page.context().request.get("/api/withdraw-requests")).json()) as Schemas["Withdrawal"][];
export const panel = (page: Page, title: string) => page.getByRole("region", { name: title });

export async function openDialog(page: Page, name: "Deposit" | "Withdraw"): Promise<Locator> {
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

/** Completes the form and waits for the invoice. */
export async function createInvoice(page: Page, amount: string): Promise<Locator> {
  const form = await openDialog(page, "Deposit");
  await form.getByLabel("Amount (USD)").fill(amount);
  await form.getByRole("button", { name: "Create Invoice" }).click();
  await expect(toastTitled(page, "Invoice Created")).toHaveCount(1);
  const invoice = page.getByRole("dialog", { name: "Complete your deposit" });
  await expect(invoice.getByRole("link", { name: "Open Payment Page" })).toBeVisible();
  return invoice;
}

/** Opens the provider's page in its own tab and starts a payment. */
export async function openPaymentPage(page: Page, invoice: Locator): Promise<Page> {
  const popup = page.waitForEvent("popup");
  await invoice.getByRole("link", { name: "Open Payment Page" }).click();
  const payment = await popup;
  expect(payment.url()).toContain(process.env.GLASSHOUSE_E2E_SANDBOX_URL ?? "/pay/");
  await payment.getByRole("button", { name: "Continue" }).click();
  await expect(payment.getByRole("button", { name: "Pay in full" })).toBeVisible();
  return payment;
}

/** Makes and pays a deposit through the API, for tests that only need one to exist. */
export async function depositByCalls(page: Page, amount: string): Promise<void> {
  const { request } = page.context();
  const created = await request.post("/api/deposits/create", { data: { amount, cryptoCurrency: "usdtsol" } });
  expect(created.status()).toBe(201);
  const { invoiceUrl, deposit } = (await created.json()) as Schemas["DepositInvoice"];
  await request.post(`${invoiceUrl}/open`, { form: { currency: "usdtsol" } });
  const payment = /payments\/(\d+)/.exec(await (await request.get(invoiceUrl)).text())?.[1];
  await request.post(`${invoiceUrl}/payments/${payment}`, { form: { action: "pay_full" } });
  await expect
    .poll(
      async () =>
        ((await (await request.get(`/api/deposits/${deposit.invoiceId}/status`)).json()) as Schemas["DepositStatus"])
          .processed,
      SETTLE_TIMEOUT,
    )
    .toBe(true);
}
