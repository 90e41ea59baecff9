import { expect, expectAccessible, signInAsPlayer, test, toastsReady, toastTitled } from "./support";

test("the dashboard shows games, account and announced games", async ({ page, administrator }) => {
  const username = await signInAsPlayer(page, administrator);
  await page.goto("/dashboard");
  await expect(page.getByRole("heading", { name: `Welcome, ${username}` })).toBeVisible();
  await expect(page.getByText("You haven't played any games yet")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Play Now: Dice" }).click();
  await expect(page.getByRole("button", { name: /^Roll for/ })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Back to Games" }).click();
  await page.getByRole("link", { name: "Play Now: Crash" }).click();
  await expect(page.getByRole("button", { name: /^Place bet/ })).toBeVisible();
  await page.goto("/dashboard");
  await page.getByRole("tab", { name: "Account" }).click();
  await expect(page.getByText("Available to withdraw")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Deposit Crypto" }).click();
  await expect(
    page.getByRole("dialog", { name: "Deposit", exact: true }).getByRole("combobox", { name: "Currency" }),
  ).toHaveValue("usdtsol");
  await expectAccessible(page);
});

test("the history can be searched and filtered", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator, "1000.00");
  for (let number = 0; number < 55; number += 1) {
    const betAmount = number === 0 ? "7.77" : "1.00";
    await page.context().request.post("/api/dice/play", { data: { betAmount, targetNumber: 50, betType: "over" } });
  }
  await page.goto("/history");
  await expect(page.getByText("Showing 50 of 55 game records")).toBeVisible();
  await page.getByRole("button", { name: "Load more" }).click();
  await expect(page.getByText("Showing 55 of 55 game records")).toBeVisible();
  await page.getByRole("searchbox").fill("7.77");
  await expect(page.getByText("Showing 1 of 55 game records")).toBeVisible();
  await page.getByRole("searchbox").fill("nothing like it");
  await expect(page.getByText("No games found matching your filters")).toBeVisible();
  await page.getByRole("button", { name: "Clear Filters" }).click();
  await expect(page.getByText("Showing 55 of 55 game records")).toBeVisible();
  await page.getByRole("combobox", { name: "Game type" }).selectOption("Crash");
  await expect(page.getByText("No games found matching your filters")).toBeVisible();
  await expectAccessible(page);
});

test("every other screen is accessible", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  for (const path of ["/crash", "/stonks", "/poker", "/coming-soon"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expectAccessible(page);
  }
  await page.getByRole("button", { name: "Get Notified: Blackjack" }).click();
  await expect(page.getByRole("button", { name: "Get Notified: Blackjack" })).toBeDisabled();
});

test("the phone menu has everything that the header has @phone", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await page.goto("/dashboard");
  await page.getByRole("button", { name: "Open menu" }).click();
  const menu = page.getByRole("dialog");
  for (const name of ["Dice", "Crash", "Stonks", "Jacks or Better Poker", "Dashboard", "Game History"]) {
    await expect(menu.getByRole("link", { name, exact: true })).toBeVisible();
  }
  await expectAccessible(page);
  await menu.getByRole("button", { name: "Log out" }).click();
  await expect(toastTitled(page, "Logged Out")).toContainText("You have been successfully logged out.");
});

test("the desktop header has the menus, the wallet dialogs and Log Out", async ({ page, administrator }) => {
  const username = await signInAsPlayer(page, administrator, "12.34");
  await page.goto("/dashboard");
  await page.getByRole("banner").getByRole("button", { name: "Withdraw" }).click();
  await expect(page.getByRole("dialog").getByText("1% processing fee on all withdrawals")).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: username }).click();
  await expect(page.getByRole("menu").getByText("$12.34")).toBeVisible();
  await page.getByRole("menuitem", { name: "Log out" }).click();
  await expect(toastTitled(page, "Logged Out")).toContainText("You have been successfully logged out.");
  await expect(page.getByRole("banner").getByRole("link", { name: "Login" })).toBeVisible();
});

test("a notification request for a coming game survives a reload", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await page.goto("/coming-soon");
  await page.getByRole("button", { name: "Get Notified: Baccarat" }).click();
  await page.reload();
  await expect(page.getByRole("button", { name: "Get Notified: Baccarat" })).toBeDisabled();
});

test("a toast disappears after five seconds", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await page.clock.install();
  await page.goto("/coming-soon");
  await toastsReady(page);
  // From now on time passes only here.
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.getByRole("button", { name: "Get Notified: Blackjack" }).click();
  await page.mouse.move(0, 0);
  await expect(toastTitled(page, "Noted")).toBeVisible();
  await page.clock.runFor(4000);
  await expect(toastTitled(page, "Noted")).toBeVisible();
  await page.clock.runFor(2500);
  await expect(toastTitled(page, "Noted")).toBeHidden();
});
