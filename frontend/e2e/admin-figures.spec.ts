import { type Page, request } from "@playwright/test";
import { post, signInAs, takeOver } from "./colleagues";
import { OwnHouse } from "./own-house";
import { expect, expectAccessible, PASSWORD, setBalance, test } from "./support";

// The house's figures, from what happens to what the panel says of it.

const WALLET = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const today = () => new Date().toISOString().slice(0, 10);

/** A player who was given 100 dollars, lost or won some of them, and wants 20 back. */
async function play(house: OwnHouse) {
  const player = await request.newContext({ baseURL: house.url });
  const { id } = await post<{ id: number }>(player, "/api/register", { username: "lena", password: PASSWORD });
  const owner = await house.administrator();
  await setBalance(owner, id, "100.00");
  let ggr = 0;
  for (let round = 0; round < 5; round += 1) {
    const bet = { betAmount: "1.00", targetNumber: 50, betType: "over" };
    const { winAmount } = await post<{ winAmount: string }>(player, "/api/dice/play", bet);
    ggr += 100 - Math.round(Number(winAmount) * 100);
  }
  await post(player, "/api/poker/deal", { betAmount: "5.00", isMaxBet: false });
  await post(player, "/api/withdraw-requests", { amount: "20.00", currency: "btc", walletAddress: WALLET });
  await player.dispose();
  return { owner, ggr };
}

const dollars = (cents: number) => `$${(Math.abs(cents) / 100).toLocaleString("en-US", { minimumFractionDigits: 2 })}`;
const signed = (cents: number) => `${cents > 0 ? "+" : cents < 0 ? "−" : ""}${dollars(cents)}`;

test("the figures say what is owed, what covers it, and what was won @both", async ({ page, isMobile }, info) => {
  await page.setViewportSize(isMobile ? { width: 390, height: 844 } : { width: 1440, height: 900 });
  const house = await OwnHouse.open();
  try {
    const { owner, ggr } = await play(house);
    await takeOver(page, owner);
    await page.goto(`${house.url}/admin`);
    await page.getByRole("tab", { name: "Figures" }).click();
    await expect(page).toHaveURL(/tab=figures/);

    const liabilities = region(page, "Liabilities Now");
    for (const text of [dollars(10_000 - ggr), "Balances", dollars(7_500 - ggr), "$5.00", "$20.00", "$0.00"])
      await expect(liabilities).toContainText(text);
    // The sandbox begins with a million dollars in each of eleven coins.
    const provider = region(page, "Balance at the Provider");
    await expect(provider).toContainText(/\$1(0,999,99|1,000,00)\d\.\d\d/);
    await expect(provider).toContainText("Covers what is owed");
    await provider.getByRole("button", { name: "Show the coins (11)" }).click();
    await expect(page.getByRole("table", { name: "Coins at the provider" })).toContainText("BTC11.11111112");

    const totals = region(page, "In These Days");
    for (const text of ["+$100.00", signed(ggr), signed(ggr - 10_000)]) await expect(totals).toContainText(text);
    const days = page.getByRole("table", { name: "Figures by day" });
    const day = days.getByRole("row").filter({ hasText: today() });
    await expect(day).toContainText(signed(ggr - 10_000));
    await expect(region(page, "By Day")).toContainText("29 days on which nothing moved are left out.");
    await day.getByRole("button", { name: /^Details of/ }).click();
    await expect(days).toContainText("GGR of Dice");
    await expect(days).toContainText("$5.00 staked");
    await expect(region(page, "By Game")).toContainText("Crash, Stonks, Jacks or Better, Heads-up poker, Mines");
    const games = page.getByRole("table", { name: "Figures by game" });
    const dice = games.getByRole("row").filter({ hasText: "Dice" });
    for (const text of [signed(ggr), "99.00%", "Too few rounds"]) await expect(dice).toContainText(text);
    await expectAccessible(page);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    await page.screenshot({ path: info.outputPath("figures.png"), fullPage: true });

    // One game, and other days. Both are in the address.
    const choose = (label: string, option: string) => page.getByRole("combobox", { name: label }).selectOption(option);
    await choose("Game", "Crash");
    await expect(region(page, "Crash by Day")).toContainText("No rounds of Crash in these days");
    await choose("Game", "Dice");
    await expect(page.getByRole("table", { name: "Figures of Dice by day" })).toContainText(signed(ggr));
    await choose("Days", "Other days");
    await page.getByLabel("First day (UTC)").fill("2026-02-10");
    await page.getByLabel("Last day (UTC)").fill("2026-02-01");
    await expect(page.getByText("The last day is before the first")).toBeVisible();
    await expect(page.getByText("The figures are shown once the days are chosen.")).toBeVisible();
    await expectAccessible(page);
    await page.getByLabel("Last day (UTC)").fill("2026-02-12");
    await expect(region(page, "Dice by Day")).toContainText("No rounds of Dice in these days");
    await expect(totals).toContainText("$0.00 before the first day");
    await page.reload();
    await expect(page.getByLabel("First day (UTC)")).toHaveValue("2026-02-10");
    await expect(region(page, "Dice by Day")).toBeVisible();
    await page.screenshot({ path: info.outputPath("other-days.png"), fullPage: true });

    await choose("Days", "Today");
    await expect(page).toHaveURL(/span=1/);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Export CSV of the figures" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("glasshouse-figures.csv");
    await page.goto(`${house.url}/admin?tab=logs`);
    await expect(page.getByRole("table", { name: "Admin logs" })).toContainText("figures");
  } finally {
    await house.close(page);
  }
});

test("a balance that does not cover what is owed, and a provider that fails, are told in words", async ({
  page,
}, info) => {
  const house = await OwnHouse.open();
  try {
    const { owner } = await play(house);
    await takeOver(page, owner);
    const coin = { code: "btc", amount: "0.0003", rate: "90000", value: "27.00" };
    const poor = { takenAt: new Date().toISOString(), total: "27.00", isComplete: false, coins: [coin] };
    let answer: object = { balance: poor, problem: "the provider is not available: 500" };
    await page.route("**/api/admin/provider-balance", (route) => route.fulfill({ json: answer }));
    await page.goto(`${house.url}/admin?tab=figures`);
    const provider = region(page, "Balance at the Provider");
    await expect(provider).toContainText(
      /The balance covers only \d\d\.\d% of what is owed: \$\d{2}\.\d\d is missing\./,
    );
    await expect(provider).toContainText("The prices of some coins are not known, so they are not counted.");
    await expect(provider).toContainText("The provider could not be asked: the provider is not available: 500.");
    await expect(provider).toContainText("The balance is the last one that is known.");
    await expectAccessible(page);
    await page.screenshot({ path: info.outputPath("uncovered.png"), fullPage: true });
    answer = { balance: null, problem: "the provider did not answer in time" };
    await page.getByRole("button", { name: "Refresh the figures" }).click();
    await expect(provider).toContainText("Not available");
    // The rest of the page is there.
    await expect(region(page, "Liabilities Now")).toContainText("Pending withdrawals");
    await expectAccessible(page);

    await signInAs(page, house, "cashier");
    await page.goto(`${house.url}/admin?tab=figures`);
    await expect(page.getByRole("tab", { name: "Dashboard" })).toHaveAttribute("aria-selected", "true");
    await expect(page.getByRole("tab", { name: "Figures" })).toHaveCount(0);
    await expectAccessible(page);
  } finally {
    await house.close(page);
  }
});
