import type { Page } from "@playwright/test";
import { chooseRound, longCrash } from "./chosen-rounds";
import { drawingOf, framesDrawn, loadPictures, pictures, shiftSum, watchShifts } from "./picture-support";
import { expect, expectAccessible, signInAsPlayer, test } from "./support";

type Status = { name: string; status: string };

const calls = (page: Page) => page.context().request;
const tile = (page: Page, name: string) =>
  page
    .getByRole("region", { name: "Popular Games" })
    .getByRole("listitem")
    .filter({ has: page.getByRole("heading", { name }) });
const names = (page: Page) => page.getByRole("region", { name: "Popular Games" }).getByRole("heading", { level: 3 });
const figure = async (page: Page) => Number.parseFloat((await page.getByTestId("live-figure").textContent()) ?? "");

async function post<T>(page: Page, path: string, data: object): Promise<T> {
  const answer = await calls(page).post(path, { data });
  expect(answer.ok(), path).toBe(true);
  return (await answer.json()) as T;
}

/** Starts a round of crash that lasts, without an automatic cash-out. */
async function startCrash(page: Page): Promise<{ roundId: number }> {
  await chooseRound(calls(page), longCrash);
  const bet = { betAmount: "20.00", autoCashoutMultiplier: null, crashPoint: null, curve: "exponential" };
  return post(page, "/api/crash/game", { action: "start", ...bet });
}

test("a new player sees every game as a picture, with its return and nothing played yet @both", async ({
  page,
  administrator,
}) => {
  await watchShifts(page);
  await signInAsPlayer(page, administrator);
  await page.goto("/dashboard");
  for (const [name, rtp, exact] of [
    ["Dice", "99.0%", "99.00%"],
    ["Crash", "99.0%", "99.00%"],
    ["Jacks or Better Poker", "97.3%", "97.29843375%"],
    ["Heads-up Poker", "98.9%", "98.94%"],
    ["Stonks", "99.0%", "99.00%"],
  ] as const) {
    await expect(tile(page, name).getByText("Not played yet")).toBeVisible();
    await expect(tile(page, name).getByText(rtp)).toHaveAttribute("title", exact);
    await expect(tile(page, name).getByRole("link")).toHaveCount(1);
    await expect(tile(page, name).getByRole("link", { name: `Play Now: ${name}` })).toHaveText("Play Now");
  }
  await expect(page.getByText("You haven't played any games yet")).toBeVisible();
  await loadPictures(page);
  expect(await shiftSum(page)).toBeLessThan(0.05);
  await expectAccessible(page);

  await page.getByRole("radio", { name: "Recent" }).click();
  await expect(page.getByText("Not played yet")).toBeVisible();
  await expect(names(page)).toHaveCount(0);
  await page.getByRole("radio", { name: "Favourites" }).click();
  await expect(page.getByText("No favourites yet")).toBeVisible();
  await expectAccessible(page);
});

test("the whole tile leads to its game", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await page.goto("/dashboard");
  const heading = tile(page, "Heads-up Poker").getByRole("heading");
  // In the middle of the screen nothing lies over it.
  await heading.evaluate((element) => element.scrollIntoView({ block: "center" }));
  const title = await heading.boundingBox();
  if (!title) throw new Error("the tile has no title");
  await page.mouse.click(title.x + 4, title.y + title.height / 2);
  await expect(page).toHaveURL(/\/dashboard\/poker#heads-up$/);
  await expect(page.getByRole("tab", { name: "Heads-up" })).toHaveAttribute("aria-selected", "true");
});

test("a tile shows the last round of its game, however long ago it was", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator, "1000.00");
  const hand = await post<{ roundId: number }>(page, "/api/poker/heads-up/deal", { betAmount: "5.00" });
  await post(page, "/api/poker/play", { betAmount: "5.00", action: "fold", roundId: hand.roundId });
  // More than a page of the history.
  for (let round = 0; round < 55; round += 1)
    await post(page, "/api/dice/play", { betAmount: "2.00", targetNumber: 50, betType: "over" });
  const [last] = (await (await calls(page).get("/api/game-history?limit=1")).json()) as { profit: string }[];
  await page.goto("/dashboard");
  const change = last?.profit.startsWith("-") ? "−$2.00" : /^\+\$1\.9\d$/;
  await expect(tile(page, "Dice").getByText(change)).toBeVisible();
  await expect(tile(page, "Dice").getByText("on $2.00")).toBeVisible();
  await expect(tile(page, "Heads-up Poker").getByText("−$5.00")).toBeVisible();
  await expect(tile(page, "Jacks or Better Poker").getByText("Not played yet")).toBeVisible();
  await page.getByRole("radio", { name: "Recent" }).click();
  await expect(names(page)).toHaveText(["Dice", "Heads-up Poker"]);
  await expectAccessible(page);
});

test("favourites come first, survive a reload and do not move under the pointer", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await page.goto("/dashboard");
  await expect(names(page).first()).toHaveText("Dice");
  const star = tile(page, "Stonks").getByRole("button", { name: "Favourite: Stonks" });
  await expect(star).toHaveAttribute("aria-pressed", "false");
  await star.focus();
  await page.keyboard.press("Enter");
  await expect(star).toHaveAttribute("aria-pressed", "true");
  await expect(star).toBeFocused();
  await expect(names(page).first()).toHaveText("Dice");
  await expect(page).toHaveURL(/\/dashboard$/);

  await page.reload();
  await expect(names(page).first()).toHaveText("Stonks");
  await expect(star).toHaveAttribute("aria-pressed", "true");
  await page.getByRole("radio", { name: "Favourites" }).click();
  await expect(names(page)).toHaveText(["Stonks"]);
  await star.click();
  await page.getByRole("radio", { name: "All" }).click();
  await expect(names(page).first()).toHaveText("Dice");

  // They are the player's own.
  await tile(page, "Crash").getByRole("button", { name: "Favourite: Crash" }).click();
  await page.context().clearCookies();
  await signInAsPlayer(page, administrator);
  await page.goto("/dashboard");
  await expect(names(page).first()).toHaveText("Dice");
});

test("a running round leads the dashboard and shows how it stands @both", async ({ page, administrator, isMobile }) => {
  await watchShifts(page);
  await signInAsPlayer(page, administrator);
  const { roundId } = await startCrash(page);
  await page.goto("/dashboard");
  const lead = page.getByRole("region", { name: "Crash in play" });
  await expect(lead.getByText("Your $20.00 is worth")).toBeVisible();
  await expect.poll(() => figure(page)).toBeGreaterThan(1.05);
  const [top, below] = [await lead.boundingBox(), await page.getByRole("heading", { name: "Balance" }).boundingBox()];
  expect(top && below && top.y + top.height < below.y).toBe(true);
  await expect(tile(page, "Crash").getByRole("link", { name: "Continue: Crash" })).toBeVisible();
  if (!isMobile) await expect(page.getByRole("link", { name: "Crash, in play" })).toBeVisible();
  await loadPictures(page);
  expect(await shiftSum(page)).toBeLessThan(0.05);
  await expectAccessible(page);

  await lead.getByRole("link", { name: "Continue" }).click();
  await expect(page).toHaveURL(/\/crash$/);
  await expect(page.getByTestId("main-action")).toHaveText(/^Cash out/);
  await page.goBack();
  await expect(lead).toBeVisible();

  // Cashed out in another tab: the result takes the round's place.
  const claim = { betAmount: "20.00", cashoutMultiplier: "1.05", crashPoint: null, roundId };
  await post(page, "/api/crash/game", { action: "cashout", ...claim });
  const ended = page.getByRole("region", { name: "Crash is over" });
  await expect(ended.getByRole("status")).toHaveText("+$1.00");
  await expect(ended.getByText("Your stake was $20.00, the payout $21.00.")).toBeVisible();
  await expect(lead).toBeHidden();
  await expect(tile(page, "Crash").getByRole("link", { name: "Play Now: Crash" })).toBeVisible();
  await expect(tile(page, "Crash").getByText("+$1.00")).toBeVisible();
  await expect(page.getByText("win (1.05x)")).toBeVisible();
  await expectAccessible(page);
  await page.reload();
  await expect(tile(page, "Crash").getByText("+$1.00")).toBeVisible();
  await expect(ended).toBeHidden();
});

test("a hand that waits for its player leads, too", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  const { roundId } = await post<{ roundId: number }>(page, "/api/poker/heads-up/deal", { betAmount: "5.00" });
  await page.goto("/dashboard");
  const lead = page.getByRole("region", { name: "Heads-up poker in play" });
  await expect(lead.getByText("Your stake is $5.00. The next move is yours.")).toBeVisible();
  await expectAccessible(page);
  await lead.getByRole("link", { name: "Continue" }).click();
  await expect(page).toHaveURL(/\/poker#heads-up$/);
  await post(page, "/api/poker/play", { betAmount: "5.00", action: "fold", roundId });
});

test("a paused game says so and can be opened", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  // The status is everyone's, so only this page is told that the game is paused.
  await page.route("**/api/games", async (route) => {
    const answer = await route.fetch();
    const games = (await answer.json()) as Status[];
    await route.fulfill({
      response: answer,
      json: games.map((game) => Object.assign(game, game.name === "stonks" ? { status: "paused" } : {})),
    });
  });
  await page.goto("/dashboard");
  await expect(tile(page, "Stonks").getByText("Paused")).toBeVisible();
  await expect(tile(page, "Dice").getByText("Paused")).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole("link", { name: "Play Now: Stonks" }).click();
  await expect(page.getByText("Stonks is not accepting new rounds at the moment.")).toBeVisible();
});

test("the last rounds can be loaded again after a failure", async ({ page: quiet, context, administrator }) => {
  await signInAsPlayer(quiet, administrator);
  // A page that may log the failed request.
  const page = await context.newPage();
  await page.route("**/api/game-history?limit=50", (route) => route.fulfill({ status: 500, body: "broken" }));
  await page.goto("/dashboard");
  await expect(page.getByText("Your last rounds could not be loaded")).toBeVisible();
  await expect(page.getByRole("link", { name: "Play Now: Dice" })).toBeVisible();
  await page.unroute("**/api/game-history?limit=50");
  await page.getByRole("button", { name: "Try Again" }).click();
  await expect(tile(page, "Dice").getByText("Not played yet")).toBeVisible();
  await expect(page.getByText("Your last rounds could not be loaded")).toHaveCount(0);
});

test("the pictures move, and stand still if the player prefers that", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await page.goto("/dashboard");
  for (const picture of await pictures(page).all()) {
    await picture.scrollIntoViewIfNeeded();
    await expect(picture).toHaveAttribute("data-loaded", "true");
    const first = await drawingOf(picture);
    await expect.poll(() => drawingOf(picture)).not.toBe(first);
  }
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.reload();
  await expect(pictures(page).first()).toBeVisible();
  for (const picture of await pictures(page).all()) {
    await picture.scrollIntoViewIfNeeded();
    await expect(picture).toHaveAttribute("data-loaded", "true");
    await framesDrawn(page, 5);
    const first = await drawingOf(picture);
    await framesDrawn(page, 40);
    expect(await drawingOf(picture)).toBe(first);
  }
});

test("a picture that cannot be loaded leaves its tile in order", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await page.route("**/assets/dice-preview-*.js", (route) => route.abort("connectionreset"));
  await page.goto("/dashboard");
  await expect(page.locator('[data-picture="crash"]').first()).toHaveAttribute("data-loaded", "true");
  await expect(page.locator('[data-picture="dice"]')).toHaveAttribute("data-loaded", "false");
  await page.getByRole("link", { name: "Play Now: Dice" }).click();
  await expect(page.getByRole("button", { name: /^Roll for/ })).toBeVisible();
});
