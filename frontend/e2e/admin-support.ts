import type { APIRequestContext, Locator, Page } from "@playwright/test";
import { confirmAdministrator, signInAsAdministrator, signInApart } from "./administrator";
import { expect, newName, PASSWORD, setBalance, test as base } from "./support";

// Shared by the admin specs.

export const BTC_ADDRESS = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
const BTC_WALLET = { currency: "btc", walletAddress: BTC_ADDRESS };
/** A payment arrives by callback, which takes a moment. */
export const SETTLE_TIMEOUT = { timeout: 120_000 };

export type Player = { id: number; username: string; calls: APIRequestContext };
type NewPlayer = (balance?: string) => Promise<Player>;

/** Players with their own sessions, besides the administrator's. */
export const test = base.extend<{ newPlayer: NewPlayer }>({
  newPlayer: async ({ playwright, baseURL, administrator }, use) => {
    const contexts: APIRequestContext[] = [];
    await use(async (balance = "100.00") => {
      const calls = await playwright.request.newContext({ baseURL: baseURL ?? "" });
      contexts.push(calls);
      const username = newName();
      const answer = await calls.post("/api/register", { data: { username, password: PASSWORD } });
      const { id } = (await answer.json()) as { id: number };
      await confirmAdministrator(administrator);
      await setBalance(administrator, id, balance);
      return { id, username, calls };
    });
    for (const context of contexts) await context.dispose();
  },
});
export { expect };

/** A toast, even next to a dialog, which hides everything else from assistive technology but not from sight. */
export const toastTitled = (page: Page, title: string): Locator =>
  page
    .locator("li")
    .filter({ hasText: title })
    .filter({ has: page.locator("button[aria-label=Dismiss]") });
export const rowOf = (page: Page, table: string, text: string): Locator =>
  page.getByRole("table", { name: table }).getByRole("row").filter({ hasText: text });

/** A tab of the panel, whose name also says how much waits there. */
export const tabNamed = (page: Page, name: string): Locator => page.getByRole("tab", { name: new RegExp(`^${name}`) });

/** Reads the withdrawals again until a row says how far its payment has come. */
export async function refreshUntil(page: Page, row: Locator, text: string): Promise<void> {
  await expect(async () => {
    await page.getByRole("button", { name: "Refresh withdrawal requests" }).click();
    await expect(row).toContainText(text, { timeout: 1_000 });
  }).toPass();
}

/** Signs the page in as the administrator, whose acts need no second factor for now, and opens the panel. */
export async function openPanel(page: Page, address = ""): Promise<void> {
  await signInAsAdministrator(page.context());
  await confirmAdministrator(page.context().request);
  await showPanel(page, address);
}

/** The same, in a session that the test may end. */
export async function openPanelApart(page: Page, address = ""): Promise<void> {
  await signInApart(page.context());
  await showPanel(page, address);
}

async function showPanel(page: Page, address: string): Promise<void> {
  await page.goto(`/admin${address}`);
  await expect(page.getByRole("heading", { name: "Admin Panel" })).toBeVisible();
}

export const balanceOf = async ({ calls }: Player) =>
  ((await (await calls.get("/api/user")).json()) as { balance: string }).balance;

export async function requestWithdrawal({ calls }: Player, amount: string, to = BTC_WALLET): Promise<number> {
  const answer = await calls.post("/api/withdraw-requests", { data: { amount, ...to } });
  expect(answer.ok()).toBe(true);
  return ((await answer.json()) as { id: number }).id;
}

export type Payment = { id: string; invoiceId: string; act(form: Record<string, string>): Promise<void> };

/** What the addresses of the sandbox's invoices contain, so that no test pays elsewhere. */
const SANDBOX = process.env.GLASSHOUSE_E2E_SANDBOX_URL ?? "/pay/";

/** Starts a payment for an invoice on the provider's page. */
async function beginOn(
  calls: APIRequestContext,
  invoiceUrl: string,
  currency: string,
  sandbox = SANDBOX,
): Promise<Payment> {
  expect(invoiceUrl).toContain(sandbox);
  await calls.post(`${invoiceUrl}/open`, { form: { currency } });
  const id = /payments\/(\d+)/.exec(await (await calls.get(invoiceUrl)).text())?.[1] ?? "";
  expect(id).not.toBe("");
  return {
    id,
    invoiceId: invoiceUrl.split("/").at(-1) ?? "",
    act: async (form) => expect((await calls.post(`${invoiceUrl}/payments/${id}`, { form })).ok()).toBe(true),
  };
}

/** Creates an invoice for a player and returns its address. */
export async function newInvoice({ calls }: Player, amount = "25.00"): Promise<string> {
  const created = await calls.post("/api/deposits/create", { data: { amount, cryptoCurrency: "btc" } });
  return ((await created.json()) as { invoiceUrl: string }).invoiceUrl;
}

/** Starts a payment without paying it. */
export const beginPayment = async (player: Player, amount?: string, sandbox?: string) =>
  beginOn(player.calls, await newInvoice(player, amount), "btc", sandbox);

/** Waits until a review is opened for a payment and returns the payment's ID. */
export async function reviewOf(
  administrator: APIRequestContext,
  isIt: (review: { paymentId: string; userId: number | null }) => boolean,
): Promise<string> {
  let found: string | undefined;
  await expect
    .poll(async () => {
      const reviews = (await (await administrator.get("/api/admin/reviews")).json()) as {
        paymentId: string;
        userId: number | null;
      }[];
      found = reviews.find(isIt)?.paymentId;
      return found;
    }, SETTLE_TIMEOUT)
    .toBeDefined();
  return found ?? "";
}

/** Pays in a different coin than the invoice asked for, which needs review. Returns the payment's ID. */
export async function payInAnotherCoin(
  administrator: APIRequestContext,
  player: Player,
  sandbox?: string,
): Promise<string> {
  const payment = await beginPayment(player, undefined, sandbox);
  await payment.act({ action: "pay_full" });
  await expect.poll(() => balanceOf(player), SETTLE_TIMEOUT).toBe("25.00");
  await payment.act({ action: "wrong_asset", amount: "2", currency: "ltc" });
  return reviewOf(administrator, ({ userId }) => userId === player.id);
}

/** Pays three times the price, so that the rest needs review. Returns the payment's ID and that rest. */
export async function payTooMuch(
  administrator: APIRequestContext,
  player: Player,
): Promise<{ id: string; rest: string }> {
  const payment = await beginPayment(player);
  const { pay_amount: expected } = (await (
    await administrator.get(`/api/admin/check-payment/${payment.id}`)
  ).json()) as {
    pay_amount: string;
  };
  await payment.act({ action: "pay", amount: (Number(expected) * 3).toFixed(8) });
  await reviewOf(administrator, ({ paymentId }) => paymentId === payment.id);
  const reviews = (await (await administrator.get("/api/admin/reviews?kind=overpaid")).json()) as {
    paymentId: string;
    amount: string;
  }[];
  return { id: payment.id, rest: reviews.find(({ paymentId }) => paymentId === payment.id)?.amount ?? "" };
}

/** Pays an order that Glasshouse did not create. Returns the payment's ID. */
export async function payForeignOrder(
  administrator: APIRequestContext,
  player: Player,
  apiKey: string,
): Promise<string> {
  const sandbox = new URL(await newInvoice(player)).origin;
  const answer = await player.calls.post(`${sandbox}/v1/invoice`, {
    headers: { "x-api-key": apiKey },
    data: { price_amount: "15", price_currency: "usd", pay_currency: "ltc", order_id: `not-ours-${player.id}` },
  });
  const { invoice_url: invoiceUrl } = (await answer.json()) as { invoice_url: string };
  const payment = await beginOn(player.calls, invoiceUrl, "ltc");
  await payment.act({ action: "pay_full" });
  // No callback is sent for it: it becomes known when an administrator checks it.
  await expect
    .poll(
      async () =>
        ((await (await administrator.post(`/api/admin/check-payment/${payment.id}`)).json()) as { api_status: string })
          .api_status,
      SETTLE_TIMEOUT,
    )
    .toBe("finished");
  return payment.id;
}
