import { AxeBuilder } from "@axe-core/playwright";
import { type APIRequestContext, type Page, expect, request, test as base } from "@playwright/test";

export const PASSWORD = "tr4vel-lamp";
export const ADMINISTRATOR = { username: "admin", password: process.env.GLASSHOUSE_E2E_ADMIN_PASSWORD ?? "" };
const BASE_URL = process.env.GLASSHOUSE_E2E_URL ?? "http://127.0.0.1:8080";

/** The browser itself reports each 401 and 4xx that a page provokes; what our code says is a mistake. */
const EXPECTED = /Failed to load resource: (the server responded with a status of (401|403|404|409|422)|net::ERR_CONNECTION_RESET)/;

type Fixtures = { quiet: void };
type WorkerFixtures = { administrator: APIRequestContext };

/** Every test fails on a console error, and can have balances set by the real administrator. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  quiet: [
    async ({ page }, use) => {
      const errors: string[] = [];
      page.on("pageerror", (error) => errors.push(error.message));
      page.on("console", (message) => {
        if (message.type() === "error" && !EXPECTED.test(message.text())) errors.push(message.text());
      });
      await use();
      expect(errors).toEqual([]);
    },
    { auto: true },
  ],
  administrator: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of what a fixture needs here
    async ({}, use) => {
      const context = await request.newContext({ baseURL: BASE_URL });
      const answer = await context.post("/api/login", { data: ADMINISTRATOR });
      expect(answer.ok(), "GLASSHOUSE_E2E_ADMIN_PASSWORD must be the administrator's").toBe(true);
      await use(context);
      await context.dispose();
    },
    { scope: "worker" },
  ],
});
export { expect };

let count = 0;
export function newName(): string {
  count += 1;
  return `e2e-${process.pid}-${Date.now() % 1_000_000}-${count}`;
}

/** Sets a user's balance; the password is asked for again where it was entered long ago. */
export async function setBalance(administrator: APIRequestContext, userId: number, balance: string): Promise<void> {
  const set = () => administrator.post(`/api/admin/users/${userId}/balance`, { data: { balance } });
  let answer = await set();
  if (answer.status() === 403) {
    await administrator.post("/api/admin/step-up", { data: { password: ADMINISTRATOR.password } });
    answer = await set();
  }
  expect(answer.ok()).toBe(true);
}

/** Registers a player whose cookie the page has, with a balance. */
export async function signInAsPlayer(page: Page, administrator: APIRequestContext, balance = "100.00"): Promise<string> {
  const username = newName();
  const answer = await page.context().request.post("/api/register", { data: { username, password: PASSWORD } });
  const { id } = (await answer.json()) as { id: number };
  await setBalance(administrator, id, balance);
  return username;
}

/** Waits until nothing fades or moves any more: half-faded text has too little contrast, and is meant to. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    // oxlint-disable-next-line unicorn/consistent-function-scoping -- it runs in the page, which has nothing of this file
    const passing = () =>
      document.getAnimations().filter((animation) => animation.playState === "running" && animation.effect?.getComputedTiming().endTime !== Infinity);
    while (passing().length > 0) {
      await Promise.allSettled(passing().map((animation) => animation.finished));
    }
  });
}

/** What axe finds once nothing moves. */
async function violationsOf(page: Page): Promise<string[]> {
  await settled(page);
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`);
}

/** No axe violation, and nothing that scrolls sideways. */
export async function expectAccessible(page: Page): Promise<void> {
  let found = await violationsOf(page);
  // A toast may have begun to fade in while axe was looking: what is wrong stays wrong.
  for (let attempt = 0; attempt < 2 && found.length > 0; attempt += 1) found = await violationsOf(page);
  expect(found).toEqual([]);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(overflow, "the page scrolls sideways").toBeLessThanOrEqual(0);
}

/** The toast that is shown. */
export function toastTitled(page: Page, title: string) {
  return page.getByRole("listitem").filter({ hasText: title }).filter({ has: page.getByRole("button", { name: "Dismiss" }) });
}
