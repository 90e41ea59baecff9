import type { BrowserContext, Page } from "@playwright/test";
import { setLimit } from "./limits-support";
import { panel } from "./settings-support";
import { expect, expectAccessible, PASSWORD, signInAsPlayer, test, toastTitled } from "./support";

const status = (page: Page) => page.getByTestId("session-status");
const check = (page: Page) => page.getByRole("dialog", { name: "Reality check" });
const roll = (page: Page, betAmount: string) =>
  page.context().request.post("/api/dice/play", { data: { betAmount, targetNumber: 50, betType: "over" } });

async function remindEvery(page: Page, minutes: number): Promise<void> {
  const answer = await page.context().request.put("/api/reality-check", { data: { minutes } });
  expect(answer.ok()).toBe(true);
}

/** The house's clock, as the pages of a browser learn it: it can be put forward. */
class HouseClock {
  #aheadMs = 0;

  static async of(context: BrowserContext): Promise<HouseClock> {
    const clock = new HouseClock();
    await context.route("**/api/session-summary", async (route) => {
      const response = await route.fetch();
      const headers = response.headers();
      const date = new Date(Date.parse(headers.date ?? "") + clock.#aheadMs).toUTCString();
      await route.fulfill({ response, headers: { ...headers, date } });
    });
    return clock;
  }

  /** Puts it forward; the pages learn it as when they are looked at again. */
  async forward(minutes: number, ...pages: Page[]): Promise<void> {
    this.#aheadMs += minutes * 60_000;
    for (const page of pages) {
      // Again until what listens has been loaded.
      await expect(async () => {
        const answer = page.waitForResponse("**/api/session-summary", { timeout: 2000 });
        await page.evaluate(() => window.dispatchEvent(new Event("focus")));
        await answer;
      }).toPass();
    }
  }
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(status(page)).toContainText("$");
}

/** Presses a button of the check, again until it counts: at first a press could be meant for the game. */
async function press(page: Page, name: string): Promise<void> {
  const button = check(page).getByRole("button", { name });
  await expect(button).toBeVisible();
  await expect(async () => {
    if ((await check(page).count()) > 0) await button.click({ timeout: 5000 });
    await expect(check(page)).toHaveCount(0, { timeout: 1000 });
  }).toPass();
}

/** Waits until the page has looked whether a check is due. */
const looked = (page: Page) => page.waitForTimeout(2500);

test("the time and the session's result are on every screen, follow the bets and move nothing", async ({
  page,
  administrator,
}) => {
  await signInAsPlayer(page, administrator);
  await page.goto("/dice");
  await expect(status(page)).toHaveText(/^Time \d\d:\d\d · , result of this session \$0\.00$/);
  const position = () => page.getByTestId("main-action").boundingBox();
  const before = await position();
  await page.getByTestId("main-action").click();
  await expect(status(page)).toHaveText(/[+−]\$\d/);
  expect(await position()).toEqual(before);
  await expect(status(page)).toBeInViewport({ ratio: 1 });
  const own = (await (await page.context().request.get("/api/session-summary")).json()) as { netResult: string };
  await expect(status(page)).toContainText(own.netResult.replace("-", "").replace(/^\+/, ""));
  for (const path of ["/dashboard", "/history", "/settings", "/crash"]) {
    await page.goto(path);
    await expect(status(page)).toBeInViewport({ ratio: 1 });
    await expect(status(page)).toContainText(own.netResult.replace("-", ""));
  }
  await expectAccessible(page);
  await page.setViewportSize({ width: 360, height: 640 });
  await expectAccessible(page);
});

test("visitors see neither time nor result, and nothing is asked for them", async ({ page }) => {
  let asked = 0;
  page.on("request", (request) => void (request.url().includes("session-summary") && (asked += 1)));
  await page.goto("/responsible-gaming");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.waitForLoadState("networkidle");
  await expect(status(page)).toHaveCount(0);
  expect(asked).toBe(0);
});

test("a reality check shows time and result, takes an answer, and survives a reload", async ({
  page,
  context,
  administrator,
}) => {
  await signInAsPlayer(page, administrator);
  await roll(page, "10.00");
  await remindEvery(page, 15);
  const clock = await HouseClock.of(context);
  await open(page, "/dice");
  await clock.forward(14, page);
  await looked(page);
  await expect(check(page)).toHaveCount(0);
  await clock.forward(1.5, page);
  await expect(check(page)).toBeVisible();
  await expect(check(page)).toContainText("You have been signed in for 15 min.");
  await expect(check(page).getByText("Staked").locator("..")).toContainText("$10.00");
  await expectAccessible(page);
  // Neither Escape nor a click beside it is an answer.
  await page.keyboard.press("Escape");
  await page.mouse.click(5, 5);
  await page.reload();
  await expect(check(page)).toBeVisible();
  await press(page, "Keep playing");
  await clock.forward(5, page);
  await page.reload();
  await expect(status(page)).toContainText("$");
  await looked(page);
  await expect(check(page)).toHaveCount(0);
  await clock.forward(10, page);
  await press(page, "See history");
  await expect(page).toHaveURL(/\/history$/);
  await clock.forward(15, page);
  await press(page, "Sign out");
  await expect(toastTitled(page, "Logged Out")).toBeVisible();
  await expect(status(page)).toHaveCount(0);
});

test("a reality check that was answered in one tab is answered in all", async ({ page, context, administrator }) => {
  await signInAsPlayer(page, administrator);
  await remindEvery(page, 15);
  const clock = await HouseClock.of(context);
  const other = await context.newPage();
  await open(other, "/history");
  await open(page, "/statistics");
  await clock.forward(15.5, page, other);
  await expect(check(other)).toBeVisible();
  await expect(check(page)).toBeVisible();
  await press(page, "Keep playing");
  await expect(check(other)).toHaveCount(0);
});

test("a reality check pauses autobet, which goes on after it", async ({ page, context, administrator }) => {
  await signInAsPlayer(page, administrator, "1000.00");
  await remindEvery(page, 15);
  const clock = await HouseClock.of(context);
  await open(page, "/dice");
  await page.getByRole("radio", { name: "Auto", exact: true }).click();
  await page.getByRole("textbox", { name: "Bet amount" }).fill("0.01");
  let [bets, rounds] = [0, 0];
  page.on("request", (request) => void (request.url().endsWith("/api/dice/play") && (bets += 1)));
  page.on("response", (response) => void (response.url().endsWith("/api/dice/play") && (rounds += 1)));
  await page.getByRole("button", { name: "Start autobet" }).click();
  await expect.poll(() => rounds).toBeGreaterThan(0);
  await clock.forward(15.5, page);
  await expect(check(page)).toBeVisible();
  await expect(page.getByText("A reality check is waiting for you.").first()).toBeAttached();
  // A bet that was sent before is answered.
  await expect.poll(() => bets - rounds).toBe(0);
  const paused = rounds;
  await looked(page);
  expect(rounds).toBe(paused);
  await press(page, "Keep playing");
  await expect.poll(() => rounds).toBeGreaterThan(paused);
});

test("a reality check waits for the end of a running round", async ({ page, context, administrator }) => {
  await signInAsPlayer(page, administrator);
  await remindEvery(page, 15);
  // The server says that a round runs, so that the test decides how long.
  let isRunning = true;
  await page.route("**/api/open-rounds", async (route) => {
    const answer = await route.fetch();
    const rounds = (await answer.json()) as object;
    await route.fulfill({ json: isRunning ? { ...rounds, crash: { roundId: 1, result: "playing" } } : rounds });
  });
  const clock = await HouseClock.of(context);
  await open(page, "/history");
  await expect(page.getByText(/in play/).first()).toBeAttached();
  await clock.forward(15.5, page);
  await looked(page);
  await expect(check(page)).toHaveCount(0);
  isRunning = false;
  await clock.forward(0, page);
  await expect(check(page)).toBeVisible();
});

test("an exclusion is shown everywhere and in every tab, and stops bets and deposits", async ({
  page,
  context,
  administrator,
}) => {
  await signInAsPlayer(page, administrator);
  const other = await context.newPage();
  await other.goto("/dice");
  await expect(other.getByTestId("main-action")).toBeVisible();
  await page.goto("/settings?tab=limits");
  const exclusion = panel(page, "Cool-off and self-exclusion");
  await exclusion.getByLabel("Your password", { exact: true }).fill(PASSWORD);
  await exclusion.getByRole("button", { name: "Exclude me for 24 hours" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Exclude me for 24 hours" }).click();
  for (const tab of [page, other]) {
    await expect(panel(tab, "Exclusion")).toContainText("You have excluded yourself until");
    await expectAccessible(tab);
  }
  await expect(other.getByTestId("main-action")).toHaveAttribute("aria-disabled", "true");
  await expect(other.getByTestId("main-action")).toHaveText("Excluded");
  await page.getByRole("banner").getByRole("button", { name: "Deposit" }).click();
  await expect(page.getByRole("dialog", { name: "Deposit" })).toContainText("You have excluded yourself until");
  await expect(page.getByRole("button", { name: "Create Invoice" })).toHaveCount(0);
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await page.goto("/history");
  await expect(panel(page, "Exclusion")).toBeVisible();
  await panel(page, "Exclusion").getByRole("link", { name: "Your exclusion" }).click();
  await expect(page).toHaveURL(/tab=limits$/);
});

test("a bet beyond a limit is explained with the local time and leads to the limits", async ({
  page,
  administrator,
}) => {
  await signInAsPlayer(page, administrator);
  await setLimit(page, "stake/day", "5.00");
  await page.goto("/dice");
  await expect(status(page)).toContainText("$");
  await page.getByRole("textbox", { name: "Bet amount" }).fill("6");
  await page.getByTestId("main-action").click();
  const notice = page.getByRole("dialog", { name: "Stake limit reached" });
  await expect(notice).toContainText("With this bet you could exceed your stake limit of $5.00 a day.");
  await expect(notice).toContainText("By your clock:");
  await expectAccessible(page);
  await notice.getByRole("link", { name: "Your limits" }).click();
  await expect(page).toHaveURL(/tab=limits$/);
  await expect(notice).toHaveCount(0);
});

test("autobet stops at a limit and says so", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await setLimit(page, "stake/day", "2.50");
  await page.goto("/dice");
  await expect(status(page)).toContainText("$");
  await page.getByRole("radio", { name: "Auto", exact: true }).click();
  await page.getByRole("textbox", { name: "Bet amount" }).fill("1");
  await page.getByRole("button", { name: "Start autobet" }).click();
  await expect(page.getByRole("dialog", { name: "Stake limit reached" })).toBeVisible();
  await expect(toastTitled(page, "Autobet stopped")).toContainText("could exceed your stake limit of $2.50 a day");
});

test("a deposit beyond a limit is explained at its field", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await setLimit(page, "deposit/day", "20.00");
  await page.goto("/dashboard");
  await page.getByRole("banner").getByRole("button", { name: "Deposit" }).click();
  const dialog = page.getByRole("dialog", { name: "Deposit" });
  await dialog.getByRole("textbox", { name: "Amount (USD)" }).fill("50");
  await dialog.getByRole("button", { name: "Create Invoice" }).click();
  await expect(dialog).toContainText("you would exceed your deposit limit of $20.00 a day");
  await expect(dialog).toContainText("By your clock:");
  await expectAccessible(page);
  await dialog.getByRole("link", { name: "Your limits" }).click();
  await expect(page).toHaveURL(/tab=limits$/);
  await expect(dialog).toHaveCount(0);
});
