import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import {
  type APIRequestContext,
  type Browser,
  expect,
  type Locator,
  type Page,
  test as base,
  type TestInfo,
} from "@playwright/test";
import type axe from "axe-core";
import { administratorCalls, confirmAdministrator } from "./administrator";
import { LONGEST_WAIT_MS, waitOutMidnight } from "./midnight";

export const PASSWORD = "tr4vel-lamp";

/** The browser logs each 4xx response that a page provokes; an error logged by our own code is a bug. */
const EXPECTED =
  /Failed to load resource: (the server responded with a status of (401|403|404|409|422)|net::ERR_CONNECTION_RESET)/;

type Fixtures = { quiet: void; oneDay: void };
type WorkerFixtures = { administrator: APIRequestContext };

/** The errors of a page, which are added as they occur. */
export function errorsOf(page: Page): readonly string[] {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" && !EXPECTED.test(message.text())) errors.push(message.text());
  });
  return errors;
}

/** A page of somebody else, on a screen of the same size. */
export const newPage = async (browser: Browser, page: Page): Promise<Page> =>
  (await browser.newContext({ viewport: page.viewportSize() })).newPage();

/** Keeps a picture of the whole page beside the other results of the test. */
export const shot = (page: Page, info: TestInfo, name: string) =>
  page.screenshot({ path: info.outputPath(`${name}.png`), fullPage: true });

/** Every test is over on the day it began, fails on a console error, and can set balances as the real administrator. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  oneDay: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of what a fixture needs here
    async ({}, use) => {
      await waitOutMidnight();
      await use();
    },
    { auto: true, timeout: LONGEST_WAIT_MS },
  ],
  quiet: [
    async ({ page }, use) => {
      const errors = errorsOf(page);
      await use();
      // An intercepted call that is still on its way must not fail whichever test comes next.
      if (!page.isClosed()) {
        await page.unrouteAll({ behavior: "ignoreErrors" });
        await page.context().unrouteAll({ behavior: "ignoreErrors" });
      }
      expect(errors).toEqual([]);
    },
    { auto: true },
  ],
  administrator: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of what a fixture needs here
    async ({}, use) => {
      const context = await administratorCalls();
      await use(context);
      await context.dispose();
    },
    { scope: "worker" },
  ],
});
export { expect };

/** A name that no other test uses and that is not part of another name, because lists are searched by it. */
export const newName = (): string => `e2e-${randomBytes(8).toString("hex")}`;

/** Sets a user's balance. Confirms the session again if the last time was too long ago. */
export async function setBalance(administrator: APIRequestContext, userId: number, balance: string): Promise<void> {
  const set = () =>
    administrator.post(`/api/admin/users/${userId}/balance`, { data: { balance, reason: "Funds for a test" } });
  let answer = await set();
  if (answer.status() === 403) {
    await confirmAdministrator(administrator);
    answer = await set();
  }
  expect(answer.ok()).toBe(true);
}

/** Signs the page in as a newly registered player with the given balance. */
export async function signInAsPlayer(
  page: Page,
  administrator: APIRequestContext,
  balance = "100.00",
): Promise<string> {
  const username = newName();
  const answer = await page.context().request.post("/api/register", { data: { username, password: PASSWORD } });
  const { id } = (await answer.json()) as { id: number };
  // The page does it otherwise, and could so change the seeds of a round that a test has chosen.
  await page
    .context()
    .request.put("/api/fairness/client-seed", { data: { clientSeed: randomBytes(16).toString("hex") } });
  await setBalance(administrator, id, balance);
  return username;
}

/** Loads a screen: going to an address that differs only in its hash would not reload the page. */
export async function openScreen(page: Page, path: string): Promise<void> {
  await page.goto("about:blank");
  await page.goto(path);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
}

/** Ends animations and transitions, and those that start later at once: half-faded text fails the contrast check. */
async function stopAnimations(page: Page): Promise<void> {
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("*, ::before, ::after { animation: none !important; transition: none !important; }");
    document.adoptedStyleSheets = [sheet];
    // Style sheets do not stop what a script animates, such as the amount of a win.
    const { animate } = Element.prototype;
    Element.prototype.animate = function animateAtOnce(...parameters) {
      const animation = animate.apply(this, parameters);
      animation.finish();
      return animation;
    };
    Object.assign(window, { letScriptsAnimate: () => void (Element.prototype.animate = animate) });
    for (const animation of document.getAnimations()) animation.finish();
  });
}
const letAnimationsRun = (page: Page) =>
  page.evaluate(() => {
    document.adoptedStyleSheets = [];
    (window as unknown as { letScriptsAnimate: () => void }).letScriptsAnimate();
  });

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Axe's violations on the page. Its script, which is larger than the page's own, is loaded once a page. */
async function violationsOf(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => {
    const { axe: loaded } = window as unknown as { axe: typeof axe };
    return loaded.run(document, { resultTypes: ["violations"] });
  });
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`);
}

/**
 * Returns visible elements that extend past the left or right edge of the viewport, even if they are clipped so that
 * the page does not scroll. Of horizontally scrolling containers only the frame counts.
 */
async function outsideViewport(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    /* oxlint-disable unicorn/consistent-function-scoping -- they run in the page, which has nothing of this file */
    const scrolls = (element: Element) =>
      /auto|scroll/.test(getComputedStyle(element).overflowX) && element.scrollWidth > element.clientWidth;
    /** An element that only contains others, and is as wide as its track, is not itself visible. */
    const paints = (element: HTMLElement) => {
      const { backgroundColor, borderTopWidth } = getComputedStyle(element);
      const hasText = [...element.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== "",
      );
      return (
        hasText ||
        element.matches("canvas, img, input, select, textarea") ||
        backgroundColor !== "rgba(0, 0, 0, 0)" ||
        borderTopWidth !== "0px"
      );
    };
    /* oxlint-enable unicorn/consistent-function-scoping */
    const width = document.documentElement.clientWidth;
    function look(parent: Element): void {
      for (const element of parent.children) {
        if (element instanceof HTMLElement && element.checkVisibility({ opacityProperty: true })) {
          const box = element.getBoundingClientRect();
          // Screen-reader-only elements are one pixel in size.
          const isSeen = box.width > 1 && box.height > 1;
          if (isSeen && paints(element) && (box.left < -1 || box.right > width + 1))
            found.push(`${Math.round(box.left)} to ${Math.round(box.right)}: ${element.outerHTML.slice(0, 160)}`);
          if (isSeen && !scrolls(element)) look(element);
        }
      }
    }
    look(document.body);
    return found;
  });
}

/** Checks that there are no axe violations, no horizontal scrolling, and nothing outside the viewport. */
export async function expectAccessible(page: Page): Promise<void> {
  // Otherwise what is checked would be a page whose code or data are still loading.
  await expect(page.locator("h1")).not.toHaveCount(0);
  await expect(page.locator(".skeleton")).toHaveCount(0);
  await stopAnimations(page);
  expect(await violationsOf(page)).toEqual([]);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow, "the page scrolls sideways").toBeLessThanOrEqual(0);
  expect(await outsideViewport(page), "something reaches past the viewport").toEqual([]);
  await letAnimationsRun(page);
}

/** Clicks on a control that may be gone already. */
export const clickIfThere = (control: Locator): Promise<void> =>
  control.evaluateAll((controls: HTMLElement[]) => controls.at(0)?.click());

/** Clicks twice before anything is answered: a slower second click would hit what is shown next. */
export async function clickTwice(button: Locator): Promise<void> {
  await expect(button).toBeEnabled();
  await button.evaluate((element: HTMLElement) => {
    element.click();
    element.click();
  });
}

type Clicks = {
  /** What the button's label begins with when it is clicked for the second time. */
  next: string;
  /** Whether the second click belongs to a double click, for which no time passes in the page, however slow the machine is. */
  isDouble: boolean;
};

async function clickInto(button: Locator, clicks: Clicks): Promise<void> {
  await expect(button).toBeEnabled();
  await button.evaluate(async (element: HTMLElement, { next, isDouble }) => {
    const click = (detail: number) =>
      element.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, detail }));
    const clock = performance.now.bind(performance);
    const clicked = clock();
    if (isDouble) performance.now = () => clicked;
    click(1);
    await new Promise<void>((resolve) => {
      const look = () => element.textContent?.startsWith(next) && resolve();
      new MutationObserver(look).observe(element, { childList: true, subtree: true, characterData: true });
      look();
    });
    click(isDouble ? 2 : 1);
    performance.now = clock;
  }, clicks);
}

/** Double-clicks so that the second click hits what the first one led to: a button labelled `next`. */
export const doubleClickInto = (button: Locator, next: string) => clickInto(button, { next, isDouble: true });

/** Clicks, and once more as soon as the button is labelled `next`: before a round can be over. */
export const clickThen = (button: Locator, next: string) => clickInto(button, { next, isDouble: false });

/** The visible toast with the given title. */
export function toastTitled(page: Page, title: string) {
  return page
    .getByRole("listitem")
    .filter({ hasText: title })
    .filter({ has: page.getByRole("button", { name: "Dismiss" }) });
}

/** Waits until the code that places toasts is there: a toast that is shown before is replaced when it arrives. */
export const toastsReady = (page: Page) =>
  expect(page.getByRole("region", { name: "Notifications (F8)" })).toBeAttached();

/** Works on a bet's options, which are in the bet panel, or on a phone in a sheet that is closed again afterwards. */
export async function inBetOptions<T>(page: Page, work: () => Promise<T>): Promise<T> {
  await expect(page.getByTestId("main-action")).toBeVisible();
  const opener = page.getByRole("button", { name: /Bet options$/ });
  const isSheet = await opener.isVisible();
  if (isSheet) await opener.click();
  const result = await work();
  if (isSheet) {
    const sheet = page.getByRole("dialog", { name: "Bet options" });
    await sheet.getByRole("button", { name: "Close" }).click();
    await expect(sheet).toBeHidden();
  }
  return result;
}

/** Fills one of a bet's options. */
export const fillOption = (page: Page, label: string, value: string) =>
  inBetOptions(page, () => page.getByRole("textbox", { name: label }).fill(value));

/** Opens mines for players, which a new house has only announced. */
export async function openMines(administrator: APIRequestContext): Promise<void> {
  await confirmAdministrator(administrator);
  const data = { status: "open", reason: "Ready to be played" };
  expect((await administrator.post("/api/admin/games/mines/status", { data })).ok()).toBe(true);
}
