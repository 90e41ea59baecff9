import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { expect, expectAccessible, signInAsPlayer, test } from "./support";

async function roll(page: Page, betAmount: string): Promise<{ winAmount: string }> {
  const data = { betAmount, targetNumber: 50, betType: "over" };
  const answer = await page.context().request.post("/api/dice/play", { data });
  expect(answer.ok()).toBe(true);
  return (await answer.json()) as { winAmount: string };
}
const cents = (amount: string): number =>
  Math.round(Number(amount.replace(/[^\d.]/g, "")) * 100) * (/^[−-]/.test(amount) ? -1 : 1);

test("a new player learns what the page will show", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await page.goto("/statistics");
  await expect(page.getByRole("heading", { name: "Nothing to add up yet" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("main").getByRole("link", { name: "Play dice" }).click();
  await expect(page).toHaveURL(/\/dice$/);
});

test("profit, totals and statement of the day are those of the rounds", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator, "100.00");
  let profitCents = 0;
  for (const bet of ["1.00", "2.00", "3.00"]) profitCents += cents((await roll(page, bet)).winAmount) - cents(bet);
  await page.goto("/statistics");
  const plot = page.getByRole("slider", { name: "Profit over time" });
  await expect(plot).toBeVisible();
  const total = (await page.getByTestId("profit-caption").textContent())?.match(/; ([+−]?\$[\d.]+) in total$/)?.[1];
  expect(cents(total ?? "")).toBe(profitCents);
  const row = page.getByRole("table", { name: "Totals by game" }).getByRole("row").filter({ hasText: "Dice" });
  await expect(row).toContainText("$6.00");
  await expect(row.getByRole("cell").last()).toHaveText(total ?? "");
  const closing = `$${((10_000 + profitCents) / 100).toFixed(2)}`;
  const statement = page.getByRole("table", { name: "Daily statements, newest first" }).getByRole("row").nth(1);
  await expect(statement.getByRole("cell").last()).toHaveText(closing);
  await page.getByRole("button", { name: "Show the figures" }).click();
  await expect(page.getByRole("table", { name: "Profit over time" }).getByRole("row").nth(1)).toContainText(
    total ?? "",
  );
  for (const range of ["Day", "Week", "Year", "All"]) {
    await page.getByRole("radio", { name: range, exact: true }).click();
    await expect(page.getByTestId("profit-caption")).toContainText(`${total} in total`);
  }
  await page.getByRole("combobox", { name: "Game", exact: true }).selectOption({ label: "Dice" });
  await expect(page.getByTestId("profit-caption")).toContainText(`${total} in total`);
  await expectAccessible(page);
});

const bucket = (day: string, profit: string) => ({
  startedAt: `2026-11-${day}T00:00:00Z`,
  rounds: 1,
  staked: "1.00",
  paid: "0.00",
  profit,
});

test("arrow keys and the pointer show the figures of a point", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await roll(page, "1.00");
  await page.route("**/api/statistics/profit?*", (route) =>
    route.fulfill({
      json: {
        from: "2026-11-01T00:00:00Z",
        to: "2026-11-11T00:00:00Z",
        buckets: [bucket("01", "-1.00"), bucket("05", "4.00"), bucket("10", "-1.50")],
      },
    }),
  );
  await page.goto("/statistics");
  const plot = page.getByRole("slider", { name: "Profit over time" });
  await plot.focus();
  const expectShown = async (text: string) => {
    await expect(plot).toHaveAttribute("aria-valuetext", text);
    await expect(page.getByTestId("profit-caption")).toHaveText(text);
  };
  await expectShown("Nov 10, 2026: −$1.50 from 1 round, $1.00 staked; +$1.50 in total");
  await page.keyboard.press("ArrowLeft");
  await expectShown("Nov 5, 2026: +$4.00 from 1 round, $1.00 staked; +$3.00 in total");
  await page.keyboard.press("Home");
  await expectShown("Nov 1, 2026: −$1.00 from 1 round, $1.00 staked; −$1.00 in total");
  await page.keyboard.press("ArrowLeft");
  await expectShown("Nov 1, 2026: −$1.00 from 1 round, $1.00 staked; −$1.00 in total");
  await page.keyboard.press("End");
  await expectShown("Nov 10, 2026: −$1.50 from 1 round, $1.00 staked; +$1.50 in total");
  const box = await plot.boundingBox();
  if (!box) throw new Error("the plot is not shown");
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await expectShown("Nov 5, 2026: +$4.00 from 1 round, $1.00 staked; +$3.00 in total");
  await expectAccessible(page);
});

/** The cells of a line, all of which are quoted. */
const cellsOf = (line: string): string[] =>
  Array.from(line.matchAll(/"((?:[^"]|"")*)"(?:,|$)/g), ([, cell = ""]) => cell.replaceAll('""', '"'));

/** The lines of a downloaded file by the names of their columns; no cell of these files contains a line break. */
async function downloaded(page: Page, name: string): Promise<{ header: string[]; rows: Record<string, string>[] }> {
  const started = page.waitForEvent("download");
  await page.getByRole("link", { name }).click();
  const download = await started;
  expect(download.suggestedFilename()).toMatch(/\.csv$/);
  const text = await readFile(await download.path(), "utf8");
  const [header = [], ...lines] = text.trimEnd().split(/\r?\n/).map(cellsOf);
  for (const line of lines) expect(line).toHaveLength(header.length);
  return {
    header,
    rows: lines.map((line) => Object.fromEntries(header.map((column, index) => [column, line[index] ?? ""]))),
  };
}

test("rounds and ledger download as CSV for the chosen days", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  for (const bet of ["1.00", "2.00"]) await roll(page, bet);
  await page.goto("/statistics");
  const rounds = await downloaded(page, "Rounds (CSV)");
  expect(rounds.rows.map(({ game, stake, serverSeed }) => [game, stake, serverSeed])).toEqual([
    ["dice", "1.00", ""],
    ["dice", "2.00", ""],
  ]);
  expect(rounds.rows.map(({ result }) => (JSON.parse(result ?? "") as { targetNumber: number }).targetNumber)).toEqual([
    50, 50,
  ]);
  const ledger = await downloaded(page, "Ledger (CSV)");
  expect(ledger.rows.filter(({ kind }) => kind === "stake").map(({ amount }) => amount)).toEqual(["-1.00", "-2.00"]);
  const balance = ledger.rows.reduce((sum, { amount = "" }) => sum + cents(amount), 0);
  expect(cents(ledger.rows.at(-1)?.balanceAfter ?? "")).toBe(balance);
  await page.getByLabel("From").fill("2020-01-01");
  await page.getByLabel("To", { exact: true }).fill("2020-01-31");
  const empty = await downloaded(page, "Rounds (CSV)");
  expect([empty.header, empty.rows]).toEqual([rounds.header, []]);
  await page.getByLabel("From").fill("2020-02-01");
  await expect(page.getByText("The first day must not be after the last.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Rounds (CSV)" })).toBeDisabled();
  await expectAccessible(page);
});

test("the menus lead to the page, and it needs a session @both", async ({ page, administrator, isMobile }) => {
  await page.goto("/statistics");
  await expect(page).toHaveURL(/\/auth$/);
  const username = await signInAsPlayer(page, administrator);
  await page.goto("/history");
  await page.getByRole("main").getByRole("link", { name: "Statistics" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Statistics" })).toBeVisible();
  await page.goto("/dice");
  await page.getByRole("button", { name: isMobile ? "Open menu" : username }).click();
  const menu = isMobile ? page.getByRole("dialog") : page.getByRole("menu");
  await menu.getByText("Statistics", { exact: true }).click();
  await expect(page).toHaveURL(/\/statistics$/);
});
