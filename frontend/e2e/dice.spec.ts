import type { Page } from "@playwright/test";
import { chooseRound, rollOver50, rollUpTo50 } from "./chosen-rounds";
import { clickTwice, expect, expectAccessible, fillOption, signInAsPlayer, test, toastTitled } from "./support";

const balanceOf = async (page: Page) =>
  (await (await page.context().request.get("/api/user")).json()) as { balance: string };
const roundsOf = async (page: Page) =>
  (await (await page.context().request.get("/api/game-history")).json()) as { outcome: string; winAmount: string }[];
const roll = (page: Page) => page.getByRole("button", { name: /^Roll\b/ });

test("a bet is rolled, announced, paid and listed in the history @both", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await chooseRound(page.context().request, rollOver50);
  await page.goto("/dice");
  await expect(page.getByTestId("balance")).toHaveText("$100.00");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel("Bet amount").fill("2.50");
  await expect(roll(page)).toHaveText("Roll for $2.50");
  await page.getByLabel("Bet amount").press("Enter");
  await expect(toastTitled(page, "You Won!")).toHaveCount(1);
  expect((await balanceOf(page)).balance).toBe("102.45");
  await expect(page.getByTestId("balance")).toHaveText("$102.45");

  await page.getByRole("tab", { name: "History" }).click();
  await expect(page.getByText("Showing 1 of your rolls")).toBeVisible();
  await expectAccessible(page);
  await page.goto("/history");
  await expect(page.getByText("Showing 1 of 1 game records")).toBeVisible();
  await expect(page.getByText("Dice statistics")).toBeVisible();
  await expectAccessible(page);
});

test("a lost bet says so and costs the stake", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await chooseRound(page.context().request, rollUpTo50);
  await page.goto("/dice");
  await roll(page).click();
  await expect(toastTitled(page, "You Lost")).toHaveCount(1);
  await expect(page.getByTestId("balance")).toHaveText("$90.00");
});

test("an invalid bet shows the reason and changes nothing", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator, "2000.00");
  await page.goto("/dice");
  const cases = [
    ["0", "50", "Invalid Bet", "Bet amount must be greater than 0"],
    ["2000.01", "50", "Insufficient Balance", "You don't have enough funds to place this bet"],
    ["1000.01", "50", "Bet Exceeds Limit", "Maximum allowed is $1,000.00"],
    ["1", "99", "Invalid Target", "Target number must be between 1 and 98"],
  ];
  for (const [amount = "", target = "", title = "", text = ""] of cases) {
    await page.getByLabel("Bet amount").fill(amount);
    await fillOption(page, "Target number", target);
    await roll(page).click();
    await expect(toastTitled(page, title)).toContainText(text);
  }
  expect(await roundsOf(page)).toEqual([]);
});

test("a double click places one bet, and a reload during the roll loses nothing", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await page.goto("/dice");
  const answered = page.waitForResponse("**/api/dice/play");
  await clickTwice(roll(page));
  await answered;
  await page.reload();
  expect(await roundsOf(page)).toHaveLength(1);
  const { balance } = await balanceOf(page);
  await expect(page.getByTestId("balance")).toHaveText(`$${balance}`);
});

test("a lost response is retried with the same idempotency key", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await page.goto("/dice");
  // The bet reaches the server, but its response does not reach the browser.
  await page.route(
    "**/api/dice/play",
    async (route) => {
      await route.fetch();
      await route.abort("connectionreset");
    },
    { times: 1 },
  );
  const failed = page.waitForEvent("requestfailed");
  await roll(page).click();
  await failed;
  await expect(toastTitled(page, "Error")).toContainText("Glasshouse cannot be reached");
  await roll(page).click();
  await expect(page.getByRole("listitem").filter({ hasText: /You Won!|You Lost/ })).toBeVisible();
  expect(await roundsOf(page)).toHaveLength(1);
});

test("two tabs stay in sync, and a lost session is announced", async ({ page, administrator, context }) => {
  await signInAsPlayer(page, administrator);
  await page.goto("/dashboard/dice");
  const other = await context.newPage();
  await other.goto("/dice");
  await roll(other).click();
  await expect(other.getByRole("listitem").filter({ hasText: /You Won!|You Lost/ })).toBeVisible();
  await page.reload();
  const { balance } = await balanceOf(page);
  await expect(page.getByTestId("balance")).toHaveText(`$${balance}`);
  await expect(other.getByTestId("balance")).toHaveText(`$${balance}`);
  await expect(roll(page)).toBeVisible();
  await context.clearCookies();
  // Whichever request comes next gets a 401; that may happen before the roll.
  await roll(page).evaluateAll((buttons: HTMLElement[]) => buttons.at(0)?.click());
  await expect(page.getByRole("heading", { name: "Session Lost" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Go to Login" }).click();
  await expect(page).toHaveURL(/\/auth$/);
});

test("a round can be verified in the browser once its seed is revealed", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await page.goto("/dice");
  await roll(page).click();
  await expect(page.getByRole("listitem").filter({ hasText: /You Won!|You Lost/ })).toBeVisible();
  await page.goto("/history");
  await page
    .getByRole("button", { name: /^Verify round/ })
    .locator("visible=true")
    .click();
  const dialog = page.getByRole("dialog", { name: "Provably fair" });
  await expect(dialog.getByText("the server seed that is still in use")).toBeVisible();
  await dialog.getByRole("button", { name: "Go to seeds" }).click();
  await expect(dialog.getByTestId("nonce")).toHaveText("1");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Rotate seeds" }).click();
  await expect(dialog.getByText("The revealed seed has the hash that was shown before.")).toBeVisible();
  await expect(dialog.getByTestId("nonce")).toHaveText("0");
  await dialog.getByRole("tab", { name: "Verify" }).click();
  await dialog.getByRole("button", { name: "Verify", exact: true }).click();
  await expect(dialog.getByText(/^Match: round/)).toBeVisible();
  await expectAccessible(page);
  await dialog.getByText("Verify any values by hand").click();
  await dialog.getByLabel("Server seed").fill("0123456789abcdef".repeat(4));
  await dialog.getByLabel("Client seed").fill("glasshouse");
  await dialog.getByRole("button", { name: "Compute" }).click();
  await expect(dialog.getByText("Dice roll: 60")).toBeVisible();
});
