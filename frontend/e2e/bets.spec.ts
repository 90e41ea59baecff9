import type { APIRequestContext, Browser, Page } from "@playwright/test";
import { chooseRound, instantCrash, rollOver50, rotateSeeds } from "./chosen-rounds";
import { expect, expectAccessible, signInAsPlayer, test } from "./support";

const BET = { betAmount: "10.00", targetNumber: 50, betType: "over" };

type Played = { roundId: number };

/** Plays a round of dice without the page. */
async function roll(calls: APIRequestContext, betAmount = BET.betAmount): Promise<number> {
  const answer = await calls.post("/api/dice/play", { data: { ...BET, betAmount } });
  expect(answer.ok()).toBe(true);
  return ((await answer.json()) as Played).roundId;
}

/** A second player, with calls of their own. */
async function otherPlayer(browser: Browser, administrator: APIRequestContext) {
  const context = await browser.newContext();
  const username = await signInAsPlayer(await context.newPage(), administrator, "2000.00");
  return { username, calls: context.request, close: () => context.close() };
}

const bets = (page: Page) => page.getByRole("region", { name: "Bets" });
const openTab = (page: Page, name: string) => bets(page).getByRole("tab", { name }).click();
const rowOf = (page: Page, id: number) =>
  bets(page)
    .getByRole("row")
    .filter({ has: page.getByText(`#${id}`, { exact: true }) });

test("everybody's bets appear as they end, hidden unless the player shows the name", async ({
  page,
  browser,
  administrator,
}) => {
  await signInAsPlayer(page, administrator);
  const other = await otherPlayer(browser, administrator);
  const before = await roll(other.calls);
  await page.goto("/dice");
  const isStreamed = page.waitForResponse((response) => response.url().endsWith("/api/events?bets=dice"));
  await openTab(page, "All bets");
  await isStreamed;
  await expect(rowOf(page, before)).toContainText("Hidden");
  await expect(bets(page).getByText("Live", { exact: true })).toBeVisible();
  const hidden = await roll(other.calls);
  await expect(rowOf(page, hidden)).toContainText("Hidden");
  const answer = await other.calls.put("/api/user/name-visibility", { data: { showsName: true } });
  expect(answer.ok()).toBe(true);
  const shown = await roll(other.calls);
  await expect(rowOf(page, shown)).toContainText(other.username);
  // Also for bets from before.
  await openTab(page, "My bets");
  await openTab(page, "All bets");
  await expect(rowOf(page, hidden)).toContainText(other.username);
  await expectAccessible(page);
  await other.close();
});

test("the switch shows and hides the player's own name", async ({ page, browser, administrator }) => {
  const username = await signInAsPlayer(page, administrator);
  const other = await otherPlayer(browser, administrator);
  const id = await roll(page.context().request);
  const nameSeen = async () => {
    const seen = await other.calls.get("/api/bets?view=all&gameType=dice&limit=100");
    return ((await seen.json()) as { id: number; player: string | null }[]).find((bet) => bet.id === id)?.player;
  };
  expect(await nameSeen()).toBeNull();
  await page.goto("/dice");
  await openTab(page, "All bets");
  const own = page.getByRole("switch", { name: "Show my name in All bets and High wins" });
  await expect(own).not.toBeChecked();
  await own.click();
  await expect(bets(page).getByText(`Everybody sees ${username} next to your bets`)).toBeVisible();
  await expect.poll(nameSeen).toBe(username);
  await page.reload();
  await openTab(page, "All bets");
  await expect(own).toBeChecked();
  await own.click();
  await expect(bets(page).getByText("Everybody sees Hidden next to your bets")).toBeVisible();
  await expect.poll(nameSeen).toBeNull();
  await other.close();
});

test("the bets are streamed over the one connection, only while their tab is open", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  const streams: string[] = [];
  page.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname === "/api/events") streams.push(search);
  });
  await page.goto("/crash");
  await expect.poll(() => streams).toEqual([""]);
  await openTab(page, "All bets");
  await expect.poll(() => streams).toEqual(["", "?bets=crash"]);
  await expect(bets(page).getByText("Live", { exact: true })).toBeVisible();
  await openTab(page, "My bets");
  await expect.poll(() => streams).toEqual(["", "?bets=crash", ""]);
});

test("high wins have the highest profit first", async ({ page, browser, administrator }) => {
  await signInAsPlayer(page, administrator);
  const other = await otherPlayer(browser, administrator);
  await chooseRound(other.calls, rollOver50);
  const high = await roll(other.calls, "1000.00");
  await page.goto("/dice");
  await openTab(page, "High wins");
  await expect(rowOf(page, high)).toContainText("+$980.00");
  const profits = await bets(page)
    .getByText(/^\+\$[\d,.]+$/)
    .allTextContents();
  const amounts = profits.map((text) => Number(text.replace(/[^\d.]/g, "")));
  expect(amounts).toEqual(amounts.toSorted((one, two) => two - one));
  expect(Math.min(...amounts)).toBeGreaterThanOrEqual(5);
  await expectAccessible(page);
  await other.close();
});

test("crash points have their distribution next to the exact chances", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  const calls = page.context().request;
  await chooseRound(calls, instantCrash);
  const answer = await calls.post("/api/crash/game", { data: { action: "start", betAmount: "1.00", curve: "linear" } });
  expect(answer.ok()).toBe(true);
  await page.goto("/crash");
  // Others play meanwhile, and would be among those of a later request.
  const shown = page.waitForResponse((response) => response.url().includes("/api/crash/points"));
  await openTab(page, "Crash points");
  await expect(
    bets(page).getByRole("list", { name: "Latest crash points, newest first" }).getByRole("listitem").first(),
  ).toHaveText(/^\d+\.\d\d×$/);
  const row = (multiplier: string) => bets(page).getByRole("row").filter({ hasText: multiplier });
  for (const [multiplier = "", chance = ""] of [
    ["1.50×", "66%"],
    ["2.00×", "49.5%"],
    ["3.00×", "33%"],
    ["5.00×", "19.8%"],
    ["10.00×", "9.9%"],
    ["100.00×", "0.99%"],
  ])
    await expect(row(multiplier).getByRole("cell").last()).toHaveText(chance);
  const { points } = (await (await shown).json()) as { points: { crashPoint: string }[] };
  const reached = points.filter(({ crashPoint }) => Number(crashPoint) >= 2).length;
  await expect(row("2.00×").getByRole("cell").nth(1)).toHaveText(String(reached));
  await expectAccessible(page);
});

test("own bets are loaded further back", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator, "200.00");
  const ids: number[] = [];
  for (let round = 0; round < 12; round += 1) ids.unshift(await roll(page.context().request));
  await page.goto("/dice");
  const numbers = bets(page).getByRole("button", { name: /^Round \d+: verify$/ });
  await expect(numbers).toHaveCount(8);
  await bets(page).getByRole("button", { name: "More" }).click();
  await expect(numbers).toHaveCount(12);
  await expect(numbers.first()).toContainText(`#${ids[0]}`);
  await expect(numbers.last()).toContainText(`#${ids[11]}`);
  await expect(bets(page).getByRole("button", { name: "More" })).toHaveCount(0);
  await expectAccessible(page);
});

test("a row explains how its result came about, fully once the seed is revealed", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  const id = await roll(page.context().request);
  await page.goto("/dice");
  const explain = bets(page).getByRole("button", { name: `Round ${id}: how this result came about` });
  await explain.click();
  const dialog = page.getByRole("dialog", { name: "How this result came about" });
  await expect(dialog.getByText("It is still in use, and revealed when you rotate your seeds.")).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Go to seeds" }).click();
  await expect(page.getByRole("dialog", { name: "Provably fair" }).getByText("Next server seed hash")).toBeVisible();
  await page.keyboard.press("Escape");
  await rotateSeeds(page.context().request);
  await page.reload();
  await explain.click();
  await expect(dialog.getByText("Its SHA-256 is exactly the committed hash, computed in your browser.")).toBeVisible();
  await expect(dialog.getByText("Exactly what the seeds give.")).toBeVisible();
  const titles = ["Committed hash", "Server seed", "Client seed and nonce", "HMAC-SHA256", "Words", "Result"];
  expect(await dialog.getByRole("heading", { level: 3 }).allTextContents()).toEqual(titles);
  await expect(dialog.getByRole("button", { name: /^Copy / })).toHaveCount(5);
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(explain).toBeFocused();
  // The verifier leads to it too.
  await bets(page)
    .getByRole("button", { name: `Round ${id}: verify` })
    .click();
  // Until it is open, the button of the row has a name like this, too.
  const verifier = page.getByRole("dialog", { name: "Provably fair" });
  await verifier.getByRole("button", { name: "How this result came about" }).click();
  await expect(dialog.getByText("Exactly what the seeds give.")).toBeVisible();
});

test("every game has the bets of all players below its stage", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  for (const path of ["/dice", "/crash", "/stonks", "/poker", "/poker#heads-up"]) {
    await page.goto("about:blank");
    await page.goto(path);
    await expect(bets(page).getByText("No bets yet")).toBeVisible();
    for (const name of ["All bets", "High wins"]) {
      await openTab(page, name);
      await expect(
        bets(page)
          .getByRole("table")
          .or(bets(page).getByText(/^No (bets|high wins) yet$/)),
      ).toBeVisible();
      await expect(bets(page).getByRole("alert")).toHaveCount(0);
    }
  }
});
