import type { Page } from "@playwright/test";
import {
  chooseRound,
  instantCrash,
  instantMarket,
  longCrash,
  longMarket,
  rotateSeeds,
  shortCrash,
} from "./chosen-rounds";
import {
  clickThen,
  clickTwice,
  doubleClickInto,
  expect,
  expectAccessible,
  fillOption,
  inBetOptions,
  signInAsPlayer,
  test,
  toastTitled,
} from "./support";

type Round = { id: number; outcome: string; betAmount: string; winAmount: string };
type Open = { crash: { roundId: number } | null; stonks: { roundId: number } | null };

const main = (page: Page) => page.getByTestId("main-action");
const calls = (page: Page) => page.context().request;
const apiGet = async <T>(page: Page, path: string) => (await (await calls(page).get(path)).json()) as T;
const roundsOf = (page: Page) => apiGet<Round[]>(page, "/api/game-history");
const openOf = (page: Page) => apiGet<Open>(page, "/api/open-rounds");

/** Checks that the balance on screen is the server's and matches the rounds played. */
async function expectBalanced(page: Page, before: number): Promise<void> {
  const { balance } = await apiGet<{ balance: string }>(page, "/api/user");
  const change = (await roundsOf(page)).reduce(
    (sum, round) => sum + Number(round.winAmount) - Number(round.betAmount),
    0,
  );
  expect(Number(balance)).toBeCloseTo(before + change, 6);
  await expect(page.getByTestId("balance")).toHaveText(`$${balance}`);
}

/**
 * Presses the button until its label changes. A press right after the end of a round counts as a late cash-out and does
 * nothing.
 */
async function playAgain(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const button = document.querySelector<HTMLElement>("[data-testid=main-action]");
    if (!button?.textContent?.endsWith("Again")) return true;
    button.click();
    return false;
  });
}

test("crash is started and cashed out manually @both", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await chooseRound(calls(page), longCrash);
  await page.goto("/crash");
  await expect(main(page)).toHaveText("Place bet $10.00");
  await inBetOptions(page, () => expect(page.getByLabel("Auto cash-out multiplier")).toHaveValue("2.00"));
  await expectAccessible(page);
  await fillOption(page, "Auto cash-out multiplier", "");
  await page.getByLabel("Bet amount").fill("2.00");
  await main(page).click();
  // Any amount above the stake.
  await expect(main(page)).toHaveText(/^Cash out \$(2\.[1-9]|[3-9]|\d\d)/);
  await main(page).click();
  await expect(main(page)).toHaveText("Play Again");
  await expect(toastTitled(page, "Cashed Out!")).toBeVisible();
  const [round] = await roundsOf(page);
  expect(round?.outcome).toMatch(/^win \(\d+\.\d\dx\)$/);
  expect(Number(round?.winAmount)).toBeGreaterThan(2);
  await expectBalanced(page, 100);
  await expect(page.getByRole("list", { name: "Last results" }).getByRole("button").first()).toHaveText(/×/);
  await playAgain(page);
  await expect(main(page)).toHaveText("Place bet $2.00");

  await page.getByRole("tab", { name: "History" }).click();
  await expect(page.getByText(/^Showing \d+ of your rounds/)).toBeVisible();
  await page.goto("/history");
  await expect(page.getByText("Best Cashout")).toBeVisible();
  await page.goto("/crash");
  await expect(page.getByRole("list", { name: "Last results" }).getByRole("button").first()).toBeVisible();
});

test("crash is cashed out automatically", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await chooseRound(calls(page), longCrash);
  await page.goto("/crash");
  await expect(main(page)).toBeEnabled();
  await fillOption(page, "Auto cash-out multiplier", "1.05");
  await main(page).click();
  await expect(main(page)).toHaveText("Play Again");
  await expect(page.getByTestId("multiplier")).toHaveText("+$0.50");
  await expect(page.getByRole("img", { name: /Cashed out at 1\.05×/ })).toBeVisible();
  expect((await roundsOf(page))[0]?.outcome).toBe("win (1.05x)");
  await expectBalanced(page, 100);
});

test("an instantly crashed round is lost, and the next one can be played", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await chooseRound(calls(page), instantCrash);
  await page.goto("/crash");
  await expect(main(page)).toBeEnabled();
  await main(page).click();
  await expect(main(page)).toHaveText("Play Again");
  await expect(toastTitled(page, "Crashed!")).toBeVisible();
  await expect(page.getByTestId("multiplier")).toHaveText("1.00×");
  expect((await roundsOf(page))[0]?.outcome).toBe("loss");
  await expectBalanced(page, 100);
  await playAgain(page);
  await expect(main(page)).toHaveText("Place bet $10.00");
});

test("a crash round in play is accessible, survives a reload and can be cashed out with the keyboard", async ({
  page,
  administrator,
}) => {
  await signInAsPlayer(page, administrator);
  await chooseRound(calls(page), longCrash);
  await page.goto("/crash");
  await expect(main(page)).toBeEnabled();
  await fillOption(page, "Auto cash-out multiplier", "");
  await inBetOptions(page, () => page.getByRole("radio", { name: "Exponential" }).click());
  await page.getByLabel("Bet amount").fill("1.00");
  await main(page).click();
  await expect(main(page)).toHaveText(/^Cash out/);
  await expectAccessible(page);
  await page.reload();
  await expect(main(page)).toHaveText(/^Cash out/);
  await expect(page.getByLabel("Bet amount")).toHaveValue("1.00");
  await page.getByRole("heading", { level: 1 }).focus();
  await page.keyboard.press("c");
  await expect(main(page)).toHaveText("Play Again");
  expect((await openOf(page)).crash).toBeNull();
  expect((await roundsOf(page))[0]?.outcome).toMatch(/^win/);
  await expectBalanced(page, 100);
});

test("two tabs show the same crash round and the same balance", async ({ page, administrator, context }) => {
  await signInAsPlayer(page, administrator);
  await chooseRound(calls(page), longCrash);
  await page.goto("/crash");
  const other = await context.newPage();
  await other.goto("/dashboard/crash");
  await expect(main(page)).toBeEnabled();
  await expect(main(other)).toBeEnabled();
  await fillOption(page, "Auto cash-out multiplier", "");
  await main(page).click();
  await expect(main(other)).toHaveText(/^Cash out/);
  await main(other).click();
  await expect(main(page)).toHaveText("Play Again");
  await expect(main(other)).toHaveText("Play Again");
  await expect(page.getByTestId("multiplier")).toHaveText((await other.getByTestId("multiplier").textContent()) ?? "");
  await expectBalanced(page, 100);
  await expectBalanced(other, 100);
  expect(await roundsOf(page)).toHaveLength(1);
});

test("a double click starts one round without cashing out, and a lost response starts no second one", async ({
  page,
  administrator,
}) => {
  await signInAsPlayer(page, administrator);
  await chooseRound(calls(page), longCrash);
  await page.goto("/crash");
  await expect(main(page)).toBeEnabled();
  await fillOption(page, "Auto cash-out multiplier", "1.50");
  await doubleClickInto(main(page), "Cash out");
  await expect(main(page)).toHaveText("Play Again");
  expect((await roundsOf(page)).map(({ outcome }) => outcome)).toEqual(["win (1.50x)"]);
  await playAgain(page);
  await page.route(
    "**/api/crash/game",
    async (route) => {
      await route.fetch();
      await route.abort("connectionreset");
    },
    { times: 1 },
  );
  await clickTwice(main(page));
  await expect(main(page)).toHaveText("Play Again");
  expect(await roundsOf(page)).toHaveLength(2);
  await expectBalanced(page, 100);
});

test("a late cash-out says how late it was by the server's clock", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await chooseRound(calls(page), shortCrash);
  await page.goto("/crash");
  await expect(main(page)).toBeEnabled();
  await fillOption(page, "Auto cash-out multiplier", "");
  // The cash-out stays in transit until the round is over.
  await page.route("**/api/crash/game", async (route) => {
    const { action } = route.request().postDataJSON() as { action: string };
    if (action === "cashout") await expect(toastTitled(page, "Crashed!")).toBeVisible();
    await route.continue();
  });
  await clickThen(main(page), "Cash out");
  const late = /Your cash-out at \d\.\d\d× arrived [\d,]+ ms after the crash at [12]\.\d\d×\. You lost \$10\.00/;
  await expect(toastTitled(page, "Crashed!")).toContainText(late);
  await expect(page.getByRole("main")).toContainText(/Your cash-out at \d\.\d\d× arrived/);
  const [round] = await apiGet<{ id: number; crashPoint: number }[]>(page, "/api/game-history");
  await expect(
    page
      .getByRole("table", { name: /^Your last bets/ })
      .getByRole("row")
      .nth(1),
  ).toContainText(new RegExp(`${round?.crashPoint.toFixed(2)}×#${round?.id}(recorded|proved)?\\$10\\.00––−\\$10\\.00`));
  await expectBalanced(page, 100);
});

test("an invalid crash bet shows the reason and changes nothing", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator, "2000.00");
  await page.goto("/crash");
  await expect(main(page)).toBeEnabled();
  const cases = [
    ["0", "2.00", "Invalid Bet", "Bet amount must be greater than 0"],
    ["2000.01", "2.00", "Insufficient Balance", "You don't have enough funds to place this bet"],
    ["1000.01", "2.00", "Bet Exceeds Limit", "Maximum allowed is $1,000.00"],
    ["1.00", "1", "Invalid auto cashout multiplier", "greater than 1"],
    ["1.00", "soon", "Invalid auto cashout multiplier", "greater than 1"],
  ];
  for (const [amount = "", auto = "", title = "", text = ""] of cases) {
    await page.getByLabel("Bet amount").fill(amount);
    await fillOption(page, "Auto cash-out multiplier", auto);
    await main(page).click();
    await expect(toastTitled(page, title)).toContainText(text);
  }
  expect(await roundsOf(page)).toEqual([]);
  expect((await openOf(page)).crash).toBeNull();
});

test("stonks can be traded, sold and traded again @both", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await chooseRound(calls(page), longMarket);
  await page.goto("/stonks");
  await expect(main(page)).toHaveText("Start Trading $10.00");
  await expectAccessible(page);
  await page.getByLabel("Bet amount").fill("5.00");
  await main(page).click();
  await expect(main(page)).toHaveText(/^Sell Now/);
  await expectAccessible(page);
  // Selling is impossible before the first tick.
  await expect(main(page)).toBeEnabled();
  await main(page).click();
  await expect(main(page)).toHaveText("Trade Again");
  await expect(toastTitled(page, "Sold!")).toBeVisible();
  expect((await roundsOf(page))[0]?.outcome).toMatch(/^(win|loss) \(\d+\.\d\dx\)$/);
  await expectBalanced(page, 100);
  await playAgain(page);
  await expect(main(page)).toHaveText("Start Trading $5.00");
  await page.goto("/history");
  await expect(page.getByText("Best Sell")).toBeVisible();
});

test("an instantly crashed market costs the stake", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await chooseRound(calls(page), instantMarket);
  await page.goto("/stonks");
  await expect(main(page)).toHaveText("Start Trading $10.00");
  await main(page).click();
  await expect(main(page)).toHaveText("Trade Again");
  await expect(toastTitled(page, "Stonks Crashed!")).toBeVisible();
  expect((await roundsOf(page))[0]?.outcome).toBe("loss");
  await expectBalanced(page, 100);
});

test("stonks continues after a reload and in another tab", async ({ page, administrator, context }) => {
  await signInAsPlayer(page, administrator);
  await chooseRound(calls(page), longMarket);
  await page.goto("/stonks");
  await expect(main(page)).toBeEnabled();
  await page.getByLabel("Bet amount").fill("1.00");
  await main(page).click();
  await expect(main(page)).toHaveText(/^Sell Now/);
  await page.reload();
  await expect(main(page)).toHaveText(/^Sell Now/);
  const other = await context.newPage();
  await other.goto("/stonks");
  await expect(main(other)).toHaveText(/^Sell Now/);
  await expect(main(page)).toBeEnabled();
  await main(page).click();
  await expect(main(page)).toHaveText("Trade Again");
  await expect(main(other)).toHaveText("Trade Again");
  await expectBalanced(page, 100);
  await expectBalanced(other, 100);
});

test("an invalid stonks bet shows the reason", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await page.goto("/dashboard/stonks");
  await expect(main(page)).toBeEnabled();
  await fillOption(page, "Auto-Sell profit target", "10.00");
  await main(page).click();
  await expect(toastTitled(page, "Invalid Auto-Sell Amount")).toContainText(
    "Auto-sell amount must be greater than your bet amount",
  );
  await fillOption(page, "Auto-Sell profit target", "");
  await page.getByLabel("Bet amount").fill("0");
  await main(page).click();
  await expect(toastTitled(page, "Invalid Bet")).toContainText("Bet amount must be greater than 0");
  await page.getByLabel("Bet amount").fill("100.01");
  await main(page).click();
  await expect(toastTitled(page, "Insufficient Balance")).toContainText(
    "You don't have enough funds to place this bet",
  );
  expect(await roundsOf(page)).toEqual([]);
});

test("crash and stonks rounds can be verified once their seed is revealed", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  // The second round uses the next nonce of the same seeds.
  await chooseRound(calls(page), (serverSeed, clientSeed, nonce) => longMarket(serverSeed, clientSeed, nonce + 1));
  await page.goto("/crash");
  await expect(main(page)).toBeEnabled();
  await fillOption(page, "Auto cash-out multiplier", "1.05");
  await main(page).click();
  await expect(main(page)).toHaveText("Play Again");
  await page.goto("/stonks");
  await expect(main(page)).toBeEnabled();
  await main(page).click();
  await expect(main(page)).toHaveText(/^Sell Now/);
  await expect(main(page)).toBeEnabled();
  await main(page).click();
  await expect(main(page)).toHaveText("Trade Again");
  await rotateSeeds(page.context().request);
  const rounds = await roundsOf(page);
  expect(rounds).toHaveLength(2);
  await page.goto("/history");
  for (const { id } of rounds) {
    await page
      .getByRole("button", { name: `Verify round ${id}`, exact: true })
      .locator("visible=true")
      .click();
    const dialog = page.getByRole("dialog", { name: "Provably fair" });
    await expect(dialog.getByText(`Match: round ${id} is exactly what its seeds give.`)).toBeVisible();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Close" }).click();
    await expect(dialog).toBeHidden();
  }
});

test("the live games fit a narrow phone, both idle and in play @phone", async ({ page, administrator }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await signInAsPlayer(page, administrator, "123456.78");
  for (const [path, wanted] of [
    ["/stonks", longMarket],
    ["/crash", longCrash],
  ] as const) {
    await page.goto(path);
    await expect(main(page)).toBeEnabled();
    await expectAccessible(page);
    await chooseRound(calls(page), wanted);
    if (path === "/crash") await fillOption(page, "Auto cash-out multiplier", "");
    await main(page).scrollIntoViewIfNeeded();
    await main(page).hover();
    const before = await main(page).boundingBox();
    await main(page).click();
    await expect(main(page)).toHaveText(/^Cash out|^Sell Now/);
    await expectAccessible(page);
    const after = await main(page).boundingBox();
    expect(after?.x).toBe(before?.x);
    expect(after?.y).toBe(before?.y);
    // Seeds cannot be rotated during a round.
    await expect(main(page)).toBeEnabled();
    await main(page).click();
    await expect(main(page)).toHaveText(/Again$/);
  }
});

test("a lost connection is announced and restored", async ({ page, administrator, context }) => {
  await signInAsPlayer(page, administrator);
  // The stream is refused at first, as it would be by a restarting server.
  await page.route("**/api/events", (route) => route.abort("connectionreset"));
  await page.goto("/crash");
  await expect(page.getByText("Connection lost. Reconnecting…")).toBeVisible();
  await page.unroute("**/api/events");
  await expect(page.getByText("Connection lost. Reconnecting…")).toBeHidden();
  await context.close();
});
