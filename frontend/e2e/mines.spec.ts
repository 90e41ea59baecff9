import type { APIRequestContext, Browser, Page } from "@playwright/test";
import { chooseRound, mineAt, rotateSeeds, safeAt } from "./chosen-rounds";
import { confirmAdministrator, signInAsAdministrator } from "./administrator";
import {
  clickTwice,
  doubleClickInto,
  expect,
  expectAccessible,
  inBetOptions,
  signInAsPlayer,
  test,
  toastTitled,
} from "./support";

type Round = {
  id: number;
  outcome: string;
  betAmount: string;
  winAmount: string;
  mines: number;
  revealedCells: number;
};
type Open = { mines: { roundId: number; revealed: number[] } | null };
type Status = { name: string; status: string };

const apiGet = async <T>(calls: APIRequestContext, path: string) => (await (await calls.get(path)).json()) as T;
const statusOf = async (calls: APIRequestContext) =>
  (await apiGet<Status[]>(calls, "/api/games")).find(({ name }) => name === "mines")?.status;
const roundsOf = (page: Page) => apiGet<Round[]>(page.context().request, "/api/game-history");
const openOf = async (page: Page) => (await apiGet<Open>(page.context().request, "/api/open-rounds")).mines;

const main = (page: Page) => page.getByTestId("main-action");
const field = (page: Page) => page.getByRole("grid", { name: "Grid of 25 cells" });
const cell = (page: Page, number: number) => field(page).getByRole("button", { name: new RegExp(`^Cell ${number},`) });
const shown = (page: Page, what: string) => field(page).getByRole("button", { name: new RegExp(`, ${what}$`) });

/** Opens the game through the administrators' panel. If an earlier run has already opened it, it stays open. */
async function openGame(browser: Browser, baseURL: string, administrator: APIRequestContext): Promise<void> {
  if ((await statusOf(administrator)) === "open") return;
  const page = await browser.newPage({ baseURL });
  await signInAsAdministrator(page.context());
  await confirmAdministrator(page.context().request);
  await page.goto("/admin?tab=switches");
  await page.getByRole("button", { name: "Change the status of Mines" }).click();
  const dialog = page.getByRole("dialog", { name: "Status of Mines" });
  await dialog.getByRole("radio", { name: "Open" }).click();
  await dialog.getByRole("button", { name: "Set to Open" }).click();
  await expect(dialog.getByLabel("Reason")).toHaveAttribute("aria-invalid", "true");
  await dialog.getByLabel("Reason").fill("Ready to be played");
  await dialog.getByRole("button", { name: "Set to Open" }).click();
  await expect.poll(() => statusOf(administrator)).toBe("open");
  await page.close();
}

test.beforeAll(async ({ browser, baseURL, administrator }) => openGame(browser, baseURL ?? "", administrator));

/** Opens the game for a new player whose next round is the one that the test needs. */
async function openFor(
  page: Page,
  administrator: APIRequestContext,
  wanted: Parameters<typeof chooseRound>[1] = async () => true,
): Promise<void> {
  await signInAsPlayer(page, administrator);
  await chooseRound(page.context().request, wanted);
  await page.goto("/mines");
  await expect(main(page)).toHaveText("Place bet $10.00");
  // A key press does not wait, as a click does, until the page knows whether a round is already open.
  await expect(main(page)).toBeEnabled();
}

async function begin(page: Page): Promise<void> {
  await main(page).click();
  await expect(main(page)).toHaveText("Choose a cell");
}

/** Reveals a cell and waits for the server's response. */
async function reveal(page: Page, number: number): Promise<void> {
  await cell(page, number).click();
  await expect(cell(page, number)).not.toHaveAccessibleName(/hidden|being revealed/);
}

/** Checks that the balance on screen is the server's and matches the rounds played from a hundred dollars. */
async function expectBalanced(page: Page): Promise<void> {
  const { balance } = await apiGet<{ balance: string }>(page.context().request, "/api/user");
  const change = (await roundsOf(page)).reduce(
    (sum, round) => sum + Number(round.winAmount) - Number(round.betAmount),
    0,
  );
  expect(Number(balance)).toBeCloseTo(100 + change, 6);
  await expect(page.getByTestId("balance")).toHaveText(`$${balance}`);
}

test("an opened game is in the menus and no longer announced", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await page.goto("/coming-soon");
  await expect(page.getByRole("button", { name: "Get Notified: Baccarat" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Get Notified: Mines" })).toHaveCount(0);
  await page.goto("/dashboard");
  await page.getByRole("link", { name: "Play Now: Mines" }).click();
  await expect(page).toHaveURL(/\/dashboard\/mines$/);
  await expect(main(page)).toHaveText("Place bet $10.00");
  await expectAccessible(page);
});

test("cells are revealed and cashed out, and the round is announced, paid and listed in the history @both", async ({
  page,
  administrator,
}) => {
  await openFor(page, administrator, safeAt(3, 1, 13, 25));
  await expectAccessible(page);
  await begin(page);
  await expect(page.getByTestId("balance")).toHaveText("$90.00");
  await inBetOptions(page, () => expect(page.getByLabel("Number of mines")).toBeDisabled());
  await expectAccessible(page);
  for (const number of [1, 13, 25]) await reveal(page, number);
  await expect(shown(page, "safe")).toHaveCount(3);
  // 10.00 · 0.99 · C(25, 3) / C(22, 3) is 14.7857…; the seeds decide the last cent.
  await expect(page.getByTestId("multiplier")).toHaveText("1.47×");
  await expect(main(page)).toHaveText(/^Cash out \$14\.7[89]$/);
  await expectAccessible(page);
  await main(page).click();
  await expect(toastTitled(page, "Cashed Out!")).toContainText("at 1.47×");
  await expect(shown(page, "mine")).toHaveCount(3);
  await expect(shown(page, "safe, not revealed")).toHaveCount(19);
  await expect(main(page)).toHaveText("Place bet $10.00");
  await expectAccessible(page);
  expect(await roundsOf(page)).toMatchObject([{ outcome: "win (1.47x)", mines: 3, revealedCells: 3 }]);
  await expectBalanced(page);
  await page.getByRole("tab", { name: "History" }).click();
  await expect(page.getByText("3 mines, 3 cells revealed")).toBeVisible();
  await page.goto("/history");
  await page.getByRole("combobox", { name: "Game type" }).selectOption("Mines");
  await expect(page.getByText("Showing 1 of 1 game records")).toBeVisible();
  await expect(page.getByText("Mines statistics")).toBeVisible();
  await expectAccessible(page);
});

test("a mine ends the round, shows all mines and costs the stake", async ({ page, administrator }) => {
  await openFor(page, administrator, mineAt(3, 8));
  await begin(page);
  await reveal(page, 8);
  await expect(cell(page, 8)).toHaveAccessibleName("Cell 8, mine, hit");
  await expect(shown(page, "mine")).toHaveCount(2);
  await expect(toastTitled(page, "You Lost")).toContainText("Cell 8 was a mine. You lost $10.00");
  await expect(page.getByTestId("balance")).toHaveText("$90.00");
  await expectAccessible(page);
  expect(await roundsOf(page)).toMatchObject([{ outcome: "loss", winAmount: "0.00" }]);
  // The next round starts with a covered grid.
  await begin(page);
  await expect(shown(page, "hidden")).toHaveCount(25);
});

test("a round can be played with the keyboard", async ({ page, administrator }) => {
  await openFor(page, administrator, safeAt(3, 12, 13));
  await page.getByLabel("Bet amount").press("Enter");
  await expect(main(page)).toHaveText("Choose a cell");
  await cell(page, 13).focus();
  await page.keyboard.press("Enter");
  await expect(cell(page, 13)).toHaveAccessibleName("Cell 13, safe");
  await page.keyboard.press("ArrowLeft");
  await expect(cell(page, 12)).toBeFocused();
  await page.keyboard.press("Space");
  await expect(cell(page, 12)).toHaveAccessibleName("Cell 12, safe");
  await page.keyboard.press("c");
  await expect(toastTitled(page, "Cashed Out!")).toContainText("at 1.28×");
});

test("a round continues after a reload and is shown as in play on other screens @both", async ({
  page,
  administrator,
  isMobile,
}) => {
  await openFor(page, administrator, safeAt(3, 4, 9));
  await begin(page);
  await reveal(page, 4);
  await page.reload();
  await expect(cell(page, 4)).toHaveAccessibleName("Cell 4, safe");
  await expect(main(page)).toHaveText("Cash out $11.25");
  await page.goto("/dice");
  if (isMobile) await expect(page.getByRole("link", { name: "Mines, in play" })).toBeVisible();
  else await expect(page.getByRole("link", { name: "Mines in play" })).toBeVisible();
  await page.goto("/mines");
  await reveal(page, 9);
  await main(page).click();
  await expect(toastTitled(page, "Cashed Out!")).toBeVisible();
  await expectBalanced(page);
});

test("a double click has one effect, and a lost response costs nothing", async ({ page, administrator }) => {
  await openFor(page, administrator, safeAt(3, 5, 6));
  await doubleClickInto(main(page), "Choose a cell");
  await clickTwice(cell(page, 5));
  await expect(cell(page, 5)).toHaveAccessibleName("Cell 5, safe");
  expect((await openOf(page))?.revealed).toEqual([4]);
  // The reveal reaches the server, but its response does not reach the browser.
  await page.route(
    "**/api/mines/game",
    async (route) => {
      await route.fetch();
      await route.abort("connectionreset");
    },
    { times: 1 },
  );
  await reveal(page, 6);
  expect((await openOf(page))?.revealed).toEqual([4, 5]);
  await clickTwice(main(page));
  await expect(toastTitled(page, "Cashed Out!")).toBeVisible();
  expect(await roundsOf(page)).toHaveLength(1);
  await expectBalanced(page);
});

test("two tabs play the same round", async ({ page, administrator, context }) => {
  await openFor(page, administrator, safeAt(3, 2, 3));
  await begin(page);
  await reveal(page, 2);
  const other = await context.newPage();
  await other.goto("/dashboard/mines");
  await expect(cell(other, 2)).toHaveAccessibleName("Cell 2, safe");
  await main(other).click();
  await expect(toastTitled(other, "Cashed Out!")).toBeVisible();
  // This tab is out of date; its reveal comes too late and shows the result.
  await cell(page, 3).evaluate((button: HTMLElement) => button.click());
  await expect(shown(page, "mine")).toHaveCount(3);
  await expect(main(page)).toHaveText("Place bet $10.00");
  expect(await roundsOf(page)).toHaveLength(1);
  await expectBalanced(page);
});

test("the last safe cell pays out at once", async ({ page, administrator }) => {
  await openFor(page, administrator, safeAt(24, 17));
  await inBetOptions(page, () => page.getByLabel("Number of mines").selectOption("24"));
  await begin(page);
  await reveal(page, 17);
  await expect(toastTitled(page, "All safe cells found!")).toContainText("You won $247.50 at 24.75×");
  await expect(page.getByTestId("balance")).toHaveText("$337.50");
  await expect(shown(page, "mine")).toHaveCount(24);
});

test("Random pick reveals one hidden cell", async ({ page, administrator }) => {
  await openFor(page, administrator);
  await begin(page);
  const answer = page.waitForResponse("**/api/mines/game");
  await page.getByRole("button", { name: "Random pick" }).click();
  await answer;
  await expect(field(page).getByRole("button", { name: /, (safe|mine, hit)$/ })).toHaveCount(1);
});

test("an invalid bet shows the reason and changes nothing", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator, "2000.00");
  await page.goto("/mines");
  for (const [amount = "", title = "", text = ""] of [
    ["0", "Invalid Bet", "Bet amount must be greater than 0"],
    ["0.09", "Invalid Bet", "Minimum allowed is $0.10"],
    ["2000.01", "Insufficient Balance", "You don't have enough funds to place this bet"],
    ["1000.01", "Bet Exceeds Limit", "Maximum allowed is $1,000.00"],
  ]) {
    await page.getByLabel("Bet amount").fill(amount);
    await main(page).click();
    await expect(toastTitled(page, title)).toContainText(text);
  }
  expect(await openOf(page)).toBeNull();
  expect(await roundsOf(page)).toEqual([]);
});

test("a round can be verified in the browser once its seed is revealed", async ({ page, administrator }) => {
  await openFor(page, administrator, safeAt(3, 1));
  await begin(page);
  await reveal(page, 1);
  await main(page).click();
  await expect(toastTitled(page, "Cashed Out!")).toBeVisible();
  await rotateSeeds(page.context().request);
  await page.getByRole("button", { name: /^Round \d+: verify$/ }).click();
  const dialog = page.getByRole("dialog", { name: "Provably fair" });
  await expect(dialog.getByText(/^Match: round/)).toBeVisible();
  await expect(dialog.getByRole("img", { name: /^Recomputed grid: mines on \d+, \d+, \d+$/ })).toBeVisible();
  await expectAccessible(page);
});

/** Simulates the server's answer about the game's status, because other tests play the game meanwhile. */
async function changeStatus(page: Page, status: string): Promise<void> {
  await page.route("**/api/games", (route) => route.fulfill({ json: [{ name: "mines", status }] }));
}

test("a paused game starts no new round, but a round in play can be finished", async ({ page, administrator }) => {
  await openFor(page, administrator, safeAt(3, 20));
  await begin(page);
  await changeStatus(page, "paused");
  await page.reload();
  await expect(
    page.getByText("Mines is not accepting new rounds at the moment. A round in play can be finished."),
  ).toBeVisible();
  await reveal(page, 20);
  await main(page).click();
  await expect(toastTitled(page, "Cashed Out!")).toBeVisible();
  await expect(main(page)).toHaveText("Paused");
  await expect(main(page)).toHaveAttribute("aria-disabled", "true");
  await expectAccessible(page);
  await page.goto("/dashboard");
  await expect(
    page.getByRole("listitem").filter({ hasText: "Mines" }).getByText("Paused").locator("visible=true").first(),
  ).toBeVisible();
  await expectAccessible(page);
});

test("an announced game leads to Coming Soon", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await changeStatus(page, "announced");
  for (const path of ["/mines", "/dashboard/mines"]) {
    await page.goto(path);
    await expect(page).toHaveURL(/\/coming-soon$/);
    await expect(page.getByRole("button", { name: "Get Notified: Mines" })).toBeVisible();
  }
});

test("on a small phone every cell is large enough, and the main action stays in place @phone", async ({
  page,
  administrator,
}) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await openFor(page, administrator, safeAt(3, 1));
  const place = await main(page).boundingBox();
  await begin(page);
  expect(await main(page).boundingBox()).toEqual(place);
  for (const button of await field(page).getByRole("button").all()) {
    const box = await button.boundingBox();
    expect(box?.width).toBeGreaterThanOrEqual(44);
    expect(box?.height).toBeGreaterThanOrEqual(44);
  }
  await reveal(page, 1);
  await expectAccessible(page);
  await main(page).click();
  await expect(main(page)).toHaveText("Place bet $10.00");
  expect(await main(page).boundingBox()).toEqual(place);
});
