import { randomBytes } from "node:crypto";
import { type APIRequestContext, expect, request, test as base } from "@playwright/test";
import { type Browser, type ConsoleMessage, launch, type Page } from "puppeteer-core";
import { administratorCalls, confirmAdministrator } from "../e2e/administrator";
import { chooseRound, type Wanted } from "../e2e/chosen-rounds";
import { newName, PASSWORD, setBalance } from "../e2e/support";

export { expect };

/** The path of the browser in Debian's package. */
const FIREFOX = "/usr/bin/firefox-esr";
const BASE_URL = process.env.GLASSHOUSE_E2E_URL ?? "http://127.0.0.1:8080";
const VIEWPORT = { width: 1440, height: 900 };
const LIMIT_MS = 60_000;

/** A new player with a hundred dollars, signed in with Firefox. */
export type Player = {
  page: Page;
  /** Calls of the same player, to compare the screen with the server. */
  calls: APIRequestContext;
};

type Fixtures = { player: Player };
type WorkerFixtures = { administrator: APIRequestContext; firefox: Browser };

/** Registers a player with a hundred dollars and a client seed of their own, over HTTP. */
async function register(administrator: APIRequestContext): Promise<{ username: string; calls: APIRequestContext }> {
  const username = newName();
  const calls = await request.newContext({ baseURL: BASE_URL });
  const answer = await calls.post("/api/register", { data: { username, password: PASSWORD } });
  const { id } = (await answer.json()) as { id: number };
  // The page does it otherwise, and could so change the seeds of a round that a test has chosen.
  await calls.put("/api/fairness/client-seed", { data: { clientSeed: randomBytes(16).toString("hex") } });
  await setBalance(administrator, id, "100.00");
  return { username, calls };
}

/** Fills in the login form. */
async function logIn(page: Page, username: string): Promise<void> {
  await page.goto(`${BASE_URL}/auth`);
  await type(page, "input[autocomplete=username]", username);
  await type(page, "input[type=password]", PASSWORD);
  await click(page, "button[type=submit]");
  await expect.poll(() => textOf(page, "[data-testid=balance]")).toBe("$100.00");
}

/** Collects what is logged as an error, what nothing catches, and what the content security policy has refused. */
function collectErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message: ConsoleMessage) => {
    if (message.type() === "error") errors.push(message.text());
  });
  return errors;
}

/** Firefox reports errors late, but in their order: when one that is thrown here has arrived, no other is missing. */
async function expectNone(page: Page, errors: string[]): Promise<void> {
  const last = "the last error of this journey";
  const isLast = (error: string) => error.includes(last);
  await page.evaluate((text) => {
    setTimeout(() => {
      throw new Error(text);
    });
  }, last);
  await expect.poll(() => errors.some(isLast), "errors of the page are reported").toBe(true);
  expect(errors.filter((error) => !isLast(error))).toEqual([]);
}

/** Every journey has a player of its own and fails on an uncaught error, or on one that is logged. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  administrator: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of what a fixture needs here
    async ({}, use) => {
      const context = await administratorCalls();
      // Before any page is loaded: in Firefox a reload ends imports under way, which React then logs as errors.
      await openToPlayers(context, "mines");
      await use(context);
      await context.dispose();
    },
    { scope: "worker" },
  ],
  firefox: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of what a fixture needs here
    async ({}, use) => {
      const browser = await launch({
        browser: "firefox",
        executablePath: FIREFOX,
        headless: true,
        timeout: LIMIT_MS,
        protocolTimeout: LIMIT_MS,
      });
      await use(browser);
      await browser.close();
    },
    { scope: "worker" },
  ],
  player: async ({ administrator, firefox }, use) => {
    const { username, calls } = await register(administrator);
    const context = await firefox.createBrowserContext();
    const page = await context.newPage();
    page.setDefaultTimeout(LIMIT_MS);
    await page.setViewport(VIEWPORT);
    const errors = collectErrors(page);
    await logIn(page, username);
    await use({ page, calls });
    await expectNone(page, errors);
    await context.close();
    await calls.dispose();
  },
});

/** The text of the first element that matches, as it is on screen; null if there is none. */
export const textOf = (page: Page, selector: string): Promise<string | null> =>
  page.evaluate((css) => document.querySelector(css)?.textContent ?? null, selector);

/** Waits until an element's text matches. */
export const expectText = (page: Page, selector: string, text: RegExp): Promise<void> =>
  expect.poll(() => textOf(page, selector)).toMatch(text);

type Point = { x: number; y: number };

/** The centre of the first element that matches, stays in its place and can be clicked there; null if there is none. */
const centreOf = (page: Page, selector: string): Promise<Point | null> =>
  page.evaluate(async (css) => {
    for (const element of document.querySelectorAll(css)) {
      element.scrollIntoView({ block: "nearest" });
      const before = element.getBoundingClientRect();
      // What is still moving has another place two frames later.
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      const { left, top, width, height } = element.getBoundingClientRect();
      const [x, y] = [left + width / 2, top + height / 2];
      const isStill = left === before.left && top === before.top;
      if (isStill && width > 0 && element.contains(document.elementFromPoint(x, y))) return { x, y };
    }
    return null;
  }, selector);

/**
 * Clicks an element once it is enabled, stays in its place and nothing covers it. Puppeteer's own locators wait with
 * code that they compile in the page, which our content security policy forbids.
 */
export async function click(page: Page, selector: string): Promise<void> {
  const enabled = `${selector}:not([aria-disabled=true]):not(:disabled)`;
  let centre: Point | null = null;
  await expect.poll(async () => (centre = await centreOf(page, enabled)), `${selector} can be clicked`).not.toBeNull();
  const { x, y } = centre as unknown as Point;
  await page.mouse.click(x, y);
}

/** Clicks a field and types into it. */
async function type(page: Page, selector: string, text: string): Promise<void> {
  await click(page, selector);
  await page.keyboard.type(text);
}

/** Waits until an element is there. */
export const expectShown = (page: Page, selector: string): Promise<void> =>
  expect.poll(() => page.evaluate((css) => document.querySelector(css) !== null, selector), selector).toBe(true);

/** Chooses the player's next round, and opens the game with a click in the sidebar. */
export async function openGame({ page, calls }: Player, path: string, wanted: Wanted): Promise<void> {
  await chooseRound(calls, wanted);
  await click(page, `nav a[href="${path}"]`);
  await expect.poll(() => page.evaluate(() => location.pathname + location.hash)).toBe(path);
}

/** Opens a game that is only announced. */
async function openToPlayers(administrator: APIRequestContext, name: string): Promise<void> {
  // The session may be that of an earlier run.
  await confirmAdministrator(administrator);
  const data = { status: "open", reason: "Ready to be played" };
  const answer = await administrator.post(`/api/admin/games/${name}/status`, { data });
  expect(answer.ok()).toBe(true);
}

type Round = { id: number; gameType: string; outcome: string; betAmount: string; winAmount: string };

const centsOf = (amount: string): number => Number(amount.replace(".", ""));
const dollars = (cents: number): string => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;

/**
 * Checks the end of the only round: the balance changed by what the round staked and paid, on screen and on the server,
 * and the round stands below the stage. Returns it.
 */
export async function expectSettled({ page, calls }: Player): Promise<Round> {
  const rounds = (await (await calls.get("/api/game-history")).json()) as Round[];
  expect(rounds).toHaveLength(1);
  const [round] = rounds as [Round];
  const balance = dollars(10_000 - centsOf(round.betAmount) + centsOf(round.winAmount));
  expect(((await (await calls.get("/api/user")).json()) as { balance: string }).balance).toBe(balance);
  await expect.poll(() => textOf(page, "[data-testid=balance]")).toBe(`$${balance}`);
  const rowsWith = (id: number) =>
    page.evaluate(
      (number) =>
        [...document.querySelectorAll("main tbody tr")].filter((row) =>
          row.textContent?.split(/\s|(?=#)/).some((word) => word.startsWith(`#${number}`)),
        ).length,
      id,
    );
  await expect.poll(() => rowsWith(round.id)).toBe(1);
  return round;
}
