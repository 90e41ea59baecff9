import type { Page } from "@playwright/test";
import { chooseRound, instantCrash, instantMarket, rollOver50, rollUpTo50 } from "./chosen-rounds";
import { expect, expectAccessible, fillOption, inBetOptions, signInAsPlayer, test, toastTitled } from "./support";

const main = (page: Page) => page.getByTestId("main-action");
const message = (page: Page) => page.getByTestId("autobet-message");
const roundsOf = async (page: Page) =>
  (await (await page.context().request.get("/api/game-history?limit=100")).json()) as { betAmount: string }[];

type Terms = { amount?: string; onLoss?: string; [option: string]: string | undefined };

/** Opens a game with turbo on and autobet chosen, and fills the terms by the labels of their fields. */
async function setUp(page: Page, path: string, { amount = "1.00", onLoss, ...options }: Terms = {}): Promise<void> {
  await page.addInitScript(() => localStorage.setItem("glasshouse-turbo", "on"));
  await page.goto(path);
  await page.getByRole("radio", { name: "Auto", exact: true }).click();
  await page.getByLabel("Bet amount").fill(amount);
  await inBetOptions(page, async () => {
    for (const [label, text] of Object.entries(options))
      if (text !== undefined) await page.getByRole("textbox", { name: label }).fill(text);
    if (onLoss !== undefined) {
      await page.getByRole("combobox", { name: "On loss" }).selectOption("increase");
      await page.getByRole("textbox", { name: "Percent on loss" }).fill(onLoss);
    }
  });
  await expect(main(page)).toHaveText("Start autobet");
}

/** Makes the page believe that its tab is hidden, or shown again. */
const setHidden = (page: Page, isHidden: boolean) =>
  page.evaluate((hidden) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event("visibilitychange"));
  }, isHidden);

/** Makes the page believe that the browser is offline, or online again, without failing requests that others make. */
const setOffline = (page: Page, isOffline: boolean) =>
  page.evaluate((offline) => {
    Object.defineProperty(navigator, "onLine", { configurable: true, get: () => !offline });
    window.dispatchEvent(new Event(offline ? "offline" : "online"));
  }, isOffline);

test("autobet plays the wanted rounds and says what they came to", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await setUp(page, "/dice", { "Number of rounds": "3" });
  await expectAccessible(page);
  await inBetOptions(page, () => expectAccessible(page));
  await main(page).click();
  await expect(message(page)).toHaveText("Stopped: All 3 rounds were played.");
  await expect(page.getByTestId("autobet-progress")).toContainText("3 of 3");
  await expect(toastTitled(page, "Autobet stopped")).toContainText("All 3 rounds were played. 3 rounds, $3.00 staked");
  expect(await roundsOf(page)).toHaveLength(3);
  const { balance } = (await (await page.context().request.get("/api/user")).json()) as { balance: string };
  await expect(page.getByTestId("balance")).toHaveText(`$${balance}`);
  await expectAccessible(page);
});

for (const { reason, balance, wanted, terms, rounds } of [
  {
    reason: "The profit has reached $0.98.",
    balance: "100.00",
    wanted: rollOver50,
    terms: { "Stop at profit": "0.98" },
    rounds: 1,
  },
  {
    reason: "The loss has reached $1.00.",
    balance: "100.00",
    wanted: rollUpTo50,
    terms: { "Stop at loss": "1" },
    rounds: 1,
  },
  {
    reason: "The balance is below $100.00.",
    balance: "100.00",
    wanted: rollUpTo50,
    terms: { "Balance below": "100" },
    rounds: 1,
  },
  {
    reason: "The balance is above $100.00.",
    balance: "100.00",
    wanted: rollOver50,
    terms: { "Balance above": "100" },
    rounds: 1,
  },
  {
    reason: "The next bet of $4.00 is above your balance of $1.00.",
    balance: "3.00",
    wanted: rollUpTo50,
    terms: { amount: "2.00", onLoss: "100" },
    rounds: 1,
  },
  {
    reason: "The next bet of $1,200.00 is above the maximum of $1,000.00.",
    balance: "5000.00",
    wanted: rollUpTo50,
    terms: { amount: "600.00", onLoss: "100" },
    rounds: 1,
  },
]) {
  test(`autobet stops: ${reason}`, async ({ page, administrator }) => {
    await signInAsPlayer(page, administrator, balance);
    await chooseRound(page.context().request, wanted);
    await setUp(page, "/dice", terms);
    await main(page).click();
    await expect(message(page)).toHaveText(`Stopped: ${reason}`);
    await expect(main(page)).toHaveText("Start autobet");
    expect(await roundsOf(page)).toHaveLength(rounds);
  });
}

test("autobet stops with the server's reason if a bet is refused", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await setUp(page, "/dice");
  const refusal = { code: "game_paused", message: "This game is paused at the moment. Please try again later." };
  await page.route("**/api/dice/play", (route) => route.fulfill({ status: 409, json: refusal }));
  await main(page).click();
  await expect(message(page)).toHaveText(`Stopped: The bet was refused: ${refusal.message}`);
});

test("autobet repeats a bet whose answer was lost, without betting twice", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await setUp(page, "/dice", { "Number of rounds": "2" });
  const keys: (string | undefined)[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/api/dice/play")) keys.push(request.headers()["idempotency-key"]);
  });
  await page.route(
    "**/api/dice/play",
    async (route) => {
      await route.fetch();
      await route.abort("connectionreset");
    },
    { times: 1 },
  );
  await main(page).click();
  await expect(message(page)).toHaveText("Stopped: All 2 rounds were played.");
  expect(await roundsOf(page)).toHaveLength(2);
  expect(keys).toHaveLength(3);
  expect(keys[0]).toBe(keys[1]);
  expect(keys[2]).not.toBe(keys[1]);
});

test("autobet pauses while the tab is hidden or offline, and goes on by itself", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await setUp(page, "/dice", { "Number of rounds": "2" });
  await setHidden(page, true);
  await main(page).click();
  await expect(message(page)).toHaveText("Paused: This tab is in the background.");
  await setOffline(page, true);
  await setHidden(page, false);
  await expect(message(page)).toHaveText("Paused: You are offline.");
  expect(await roundsOf(page)).toHaveLength(0);
  await setOffline(page, false);
  await expect(message(page)).toHaveText("Stopped: All 2 rounds were played.");
  expect(await roundsOf(page)).toHaveLength(2);
});

for (const path of ["/dice", "/crash", "/stonks"])
  test(`the main button of ${path} stays in place while the fields of autobet load`, async ({
    page,
    administrator,
  }) => {
    await signInAsPlayer(page, administrator);
    let isAskedFor = false;
    let isHeld = true;
    await page.route("**/assets/autobet-autobet-fields-*.js", async (route) => {
      isAskedFor = true;
      await expect.poll(() => isHeld).toBe(false);
      await route.continue();
    });
    await page.goto(path);
    await page.getByRole("radio", { name: "Auto", exact: true }).click();
    await expect(main(page)).toHaveText("Start autobet");
    const before = await main(page).boundingBox();
    await inBetOptions(page, async () => {
      await expect.poll(() => isAskedFor).toBe(true);
      isHeld = false;
      await expect(page.getByRole("textbox", { name: "Number of rounds" })).toBeVisible();
    });
    expect(await main(page).boundingBox()).toEqual(before);
  });

test("only one tab runs autobet, and the player or leaving the game stops it", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator, "1000.00");
  const bets = new Set<string | undefined>();
  page.context().on("request", (request) => {
    if (request.url().endsWith("/api/dice/play")) bets.add(request.headers()["idempotency-key"]);
  });
  await setUp(page, "/dice", { amount: "0.01" });
  await main(page).click();
  await expect(main(page)).toHaveText("Stop autobet");
  const other = await page.context().newPage();
  await setUp(other, "/dice", { "Number of rounds": "1" });
  await main(other).click();
  await expect(message(other)).toHaveText("Stopped: Autobet is already running in another tab.");
  await page.bringToFront();
  await main(page).click();
  await expect(message(page)).toHaveText("Stopped: You stopped it.");
  await main(other).click();
  await expect(message(other)).toHaveText("Stopped: The round was played.");

  await main(page).click();
  await expect(main(page)).toHaveText("Stop autobet");
  // The address changes without loading the page again.
  await page.getByRole("link", { name: "History" }).locator("visible=true").first().click();
  await expect(toastTitled(page, "Autobet stopped")).toContainText("You left the game.");
  // A bet that was on its way when the player left is still played.
  await expect.poll(async () => (await roundsOf(page)).length - bets.size).toBe(0);
  const played = bets.size;
  await page.goto("/dice");
  expect(bets.size).toBe(played);
  expect(await roundsOf(page)).toHaveLength(played);
});

test("crash needs an automatic cash-out, and repeats a start whose answer was lost", async ({
  page,
  administrator,
}) => {
  await signInAsPlayer(page, administrator);
  await chooseRound(page.context().request, instantCrash);
  await setUp(page, "/crash", { "Number of rounds": "1", "Auto cash-out multiplier": "" });
  await main(page).click();
  await expect(toastTitled(page, "Auto cash-out needed")).toBeVisible();
  await fillOption(page, "Auto cash-out multiplier", "1.01");
  await page.route(
    "**/api/crash/game",
    async (route) => {
      await route.fetch();
      await route.abort("connectionreset");
    },
    { times: 1 },
  );
  await main(page).click();
  await expect(message(page)).toHaveText("Stopped: The round was played.");
  await expect(page.getByTestId("autobet-progress")).toContainText("0 and 1");
  expect(await roundsOf(page)).toHaveLength(1);
  await expect(page.getByTestId("balance")).toHaveText("$99.00");
});

test("autobet plays crash and stonks round after round", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await setUp(page, "/crash", { "Number of rounds": "2", "Auto cash-out multiplier": "1.05" });
  await main(page).click();
  await expect(message(page)).toHaveText("Stopped: All 2 rounds were played.");
  expect(await roundsOf(page)).toHaveLength(2);
  await chooseRound(page.context().request, instantMarket);
  await setUp(page, "/stonks", { "Number of rounds": "1" });
  await main(page).click();
  await expect(toastTitled(page, "Auto-sell needed")).toBeVisible();
  await fillOption(page, "Auto-Sell profit target ($)", "1.10");
  await main(page).click();
  await expect(message(page)).toHaveText("Stopped: The round was played.");
  expect(await roundsOf(page)).toHaveLength(3);
});
