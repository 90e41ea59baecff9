import type { Locator, Page } from "@playwright/test";
import { diceRoll } from "@/games/dice/fairness";
import { chooseRound, longCrash, longMarket, rollOver50, rollUpTo50, shortCrash, type Wanted } from "./chosen-rounds";
import { expect, expectAccessible, fillOption, signInAsPlayer, test } from "./support";

const main = (page: Page) => page.getByTestId("main-action");
const calls = (page: Page) => page.context().request;
const roll = (page: Page) => page.getByRole("button", { name: /^Roll\b/ });
const slider = (page: Page) => page.getByRole("slider", { name: "Target number" });
const target = (page: Page) => page.getByRole("textbox", { name: "Target number" });

/** A roll over 95, which pays 19.8 times the stake of a bet over 95. */
const rollOver95: Wanted = async (...seeds) => (await diceRoll(...seeds)).roll > 95;

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (!box) throw new Error("it is not shown");
  return box;
}

/** The place on the track that stands for a number. */
async function placeOf(page: Page, number: number): Promise<{ x: number; y: number }> {
  const { x, y, width, height } = await boxOf(page.getByTestId("track"));
  return { x: x + (width * number) / 100, y: y + height / 2 };
}

/** Collects what the celebration of a win adds to the page, also if it is gone again. */
async function watchCelebrations(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const seen: string[] = [];
    Object.assign(window, { seenCelebrations: seen });
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes)
        for (const node of addedNodes)
          if (node instanceof HTMLElement && /flying-amount|glowing-line/.test(node.className))
            seen.push(`${node.className} ${node.textContent}`.trim());
    }).observe(document, { childList: true, subtree: true });
  });
  return () => page.evaluate(() => (window as unknown as { seenCelebrations: string[] }).seenCelebrations);
}

test("the track of dice is the slider: by click, by dragging and by keyboard @both", async ({
  page,
  administrator,
  isMobile,
}) => {
  await signInAsPlayer(page, administrator);
  await page.goto("/dice");
  await expect(roll(page)).toBeEnabled();
  await expect(page.getByRole("slider")).toHaveCount(1);
  await expect(slider(page)).toHaveValue("50");
  await slider(page).scrollIntoViewIfNeeded();

  const [quarter, nearEnd] = [await placeOf(page, 25), await placeOf(page, 90)];
  await page.mouse.click(quarter.x, quarter.y);
  await expect(slider(page)).toHaveValue("25");
  await page.mouse.move(quarter.x, quarter.y);
  await page.mouse.down();
  await page.mouse.move(nearEnd.x, nearEnd.y, { steps: 5 });
  await page.mouse.up();
  await expect(slider(page)).toHaveValue("90");
  // The winning zone begins where the handle stands.
  const zone = await boxOf(page.getByTestId("winning-zone"));
  expect(Math.abs(zone.x - nearEnd.x)).toBeLessThanOrEqual(1);

  await slider(page).focus();
  await page.keyboard.press("ArrowRight");
  await expect(slider(page)).toHaveValue("91");
  await page.keyboard.press("Home");
  await expect(slider(page)).toHaveValue("1");
  await page.keyboard.press("End");
  await expect(slider(page)).toHaveValue("98");
  // On a phone the field is in a sheet.
  if (!isMobile) await expect(target(page)).toHaveValue("98");
  await fillOption(page, "Target number", "40");
  await expect(slider(page)).toHaveValue("40");
  await expectAccessible(page);
  // An invalid number has no winning zone, and the handle stays.
  await fillOption(page, "Target number", "400");
  await expect(page.getByTestId("winning-zone")).toHaveCount(0);
  await expect(slider(page)).toHaveValue("40");
});

test("the last rolls stand on the track, and the result points to its place", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  for (let round = 0; round < 4; round += 1)
    await calls(page).post("/api/dice/play", { data: { betAmount: "1.00", targetNumber: 50, betType: "over" } });
  await page.goto("/dice");
  await expect(page.getByTestId("roll-marks").locator("span")).toHaveCount(4);
  await expect(page.getByTestId("roll")).toHaveText("Over 50");
  await roll(page).click();
  await expect(page.getByText(/Round #\d+/)).toBeVisible();
  await expect(page.getByTestId("roll-marks").locator("span")).toHaveCount(5);
  const number = Number(await page.getByTestId("roll").textContent());
  await expect(page.getByTestId("roll-pointer")).toHaveText(String(number));
  const expected = await placeOf(page, number);
  await expect
    .poll(async () => {
      const { x, width } = await boxOf(page.getByTestId("roll-pointer").locator("svg"));
      return Math.abs(x + width / 2 - expected.x);
    })
    .toBeLessThanOrEqual(1);
  await expectAccessible(page);
});

test("after a cash-out the stage shows the profit, the winning point and what followed", async ({
  page,
  administrator,
}) => {
  await signInAsPlayer(page, administrator);
  await chooseRound(calls(page), shortCrash);
  await page.goto("/crash");
  await expect(main(page)).toBeEnabled();
  await expect(page.getByRole("img", { name: "The multiplier over time, from 1.00×" })).toBeVisible();
  await fillOption(page, "Auto cash-out multiplier", "1.20");
  await main(page).click();
  await expect(main(page)).toHaveText("Play Again");
  await expect(page.getByTestId("multiplier")).toHaveText("+$2.00");
  await expect(page.getByText(/^Cashed out at 1\.20×; it crashed at [12]\.\d\d×$/)).toBeVisible();
  await expect(
    page.getByRole("img", { name: /^The multiplier over time\. Cashed out at 1\.20×, crashed at/ }),
  ).toBeVisible();
  await expectAccessible(page);
});

test("the number never covers the end of the curve", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await chooseRound(calls(page), longCrash);
  await page.goto("/crash");
  await expect(main(page)).toBeEnabled();
  await fillOption(page, "Auto cash-out multiplier", "");
  await main(page).click();
  await expect(main(page)).toHaveText(/^Cash out \$1[5-9]/);
  const [number, chart] = [await boxOf(page.getByTestId("multiplier")), await boxOf(page.getByTestId("chart"))];
  // The line's end stays below the diagonal of the chart, and the number above it.
  const along = (number.x + number.width - chart.x) / chart.width;
  const up = 1 - (number.y + number.height - chart.y) / chart.height;
  expect(up).toBeGreaterThan(along * 0.8);
  await main(page).click();
  await expect(main(page)).toHaveText("Play Again");
});

test("a position shows its open profit, and after the sale the rest of the market", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await chooseRound(calls(page), longMarket);
  await page.goto("/stonks");
  await expect(main(page)).toBeEnabled();
  await main(page).click();
  await expect(page.getByTestId("open-profit")).toHaveText(/^([+−]\$\d+\.\d\d|\$0\.00)$/);
  const chart = await boxOf(page.getByTestId("chart"));
  expect(chart.height).toBe(300);
  const number = await boxOf(page.getByTestId("multiplier"));
  expect(number.y + number.height).toBeLessThanOrEqual(chart.y);
  await expect(main(page)).toBeEnabled();
  const details = page.waitForResponse(/\/api\/rounds\/\d+$/);
  await main(page).click();
  await expect(main(page)).toHaveText("Trade Again");
  const { stonks } = (await (await details).json()) as { stonks: { points: number[]; soldAtTick: number } };
  expect(stonks.points.length).toBeGreaterThan(stonks.soldAtTick + 1);
  await expect(page.getByRole("img", { name: /^The price over time\. Sold at \d+\.\d{3}×$/ })).toBeVisible();
  await expectAccessible(page);
});

test("a large win travels to the balance and lets a line glow, and nothing of it stays", async ({
  page,
  administrator,
}) => {
  const seen = await watchCelebrations(page);
  await signInAsPlayer(page, administrator);
  await chooseRound(calls(page), rollOver95);
  await page.goto("/dice");
  await fillOption(page, "Target number", "95");
  await expect(roll(page)).toBeEnabled();
  await roll(page).click();
  await expect(page.getByTestId("balance")).toHaveText("$288.00");
  // What shows it is only loaded then.
  await expect.poll(seen).toEqual(["flying-amount +$188.00", "glowing-line"]);
  await expect(page.locator(".flying-amount, .glowing-line")).toHaveCount(0);
});

test("neither a loss nor a win of up to twice the stake moves anything", async ({ page, administrator }) => {
  const seen = await watchCelebrations(page);
  await signInAsPlayer(page, administrator);
  await page.goto("/dice");
  for (const [wanted, text] of [
    [rollUpTo50, /^No win this time/],
    [rollOver50, /^Won \$19\.80/],
  ] as const) {
    await chooseRound(calls(page), wanted);
    await expect(roll(page)).toHaveText("Roll for $10.00");
    await roll(page).click();
    await expect(page.getByText(text)).toBeVisible();
  }
  expect(await seen()).toEqual([]);
});

test("with reduced motion a large win only changes the numbers", async ({ page, administrator }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  const seen = await watchCelebrations(page);
  await signInAsPlayer(page, administrator);
  await chooseRound(calls(page), rollOver95);
  await page.goto("/dice");
  await fillOption(page, "Target number", "95");
  await roll(page).click();
  await expect(page.getByTestId("balance")).toHaveText("$288.00");
  expect(await seen()).toEqual([]);
});

test("sound is off at first, and its switch and volume are remembered for all games", async ({
  page,
  administrator,
}) => {
  await signInAsPlayer(page, administrator);
  await page.goto("/dice");
  await page.getByRole("button", { name: "Sound, off" }).click();
  const settings = page.getByRole("dialog", { name: "Sound" });
  await expect(settings.getByRole("switch", { name: "Sound" })).not.toBeChecked();
  await expectAccessible(page);
  await settings.getByRole("switch", { name: "Sound" }).click();
  await settings.getByRole("slider", { name: "Volume" }).focus();
  await page.keyboard.press("End");
  await expect(settings.getByText("100%")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(settings).toBeHidden();
  await expect(page.getByRole("button", { name: "Sound, 100%" })).toBeFocused();
  for (const path of ["/crash", "/stonks", "/poker", "/dashboard/dice"]) {
    await page.goto(path);
    await expect(page.getByRole("button", { name: "Sound, 100%" })).toBeVisible();
  }
});

test("the watermark is the hash of the seed in use, and turns over when the seed is revealed", async ({
  page,
  administrator,
}) => {
  await signInAsPlayer(page, administrator);
  const watermark = page.getByTestId("watermark");
  // It is a picture of the text.
  const expectText = (text: string) =>
    expect(watermark.locator("p")).toHaveCSS("background-image", new RegExp(`%3E${text}%3C`));
  const seeds = async () =>
    (await (await calls(page).get("/api/fairness")).json()) as { serverSeedHash: string; nextServerSeedHash: string };
  const { serverSeedHash, nextServerSeedHash } = await seeds();
  await page.goto("/dice");
  await expectText(serverSeedHash);
  await expect(watermark).toHaveAttribute("aria-hidden", "true");
  await page.clock.install();
  await page.getByRole("button", { name: "Provably fair" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Provably fair" });
  const rotated = page.waitForResponse("**/api/fairness/rotate");
  await dialog.getByRole("button", { name: "Rotate seeds" }).click();
  const { revealed } = (await (await rotated).json()) as { revealed: { serverSeed: string; serverSeedHash: string } };
  expect(revealed.serverSeedHash).toBe(serverSeedHash);
  await expectText(revealed.serverSeed);
  await page.clock.runFor(7000);
  await expectText(nextServerSeedHash);
  for (const path of ["/crash", "/stonks", "/poker", "/poker#heads-up"]) {
    await page.goto("about:blank");
    await page.goto(path);
    await expectText(nextServerSeedHash);
  }
});

test("on a narrow phone no stage is wider than its panel, and the whole track is in view @phone", async ({
  page,
  administrator,
}) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await signInAsPlayer(page, administrator);
  for (const path of ["/dice", "/crash", "/stonks"]) {
    await page.goto(path);
    await expect(page.getByTestId("watermark")).toBeAttached();
    const stage = await boxOf(page.locator(".stage"));
    for (const part of await page.locator(".stage canvas, .stage [data-testid=track]").all()) {
      const { x, width } = await boxOf(part);
      expect(x, path).toBeGreaterThanOrEqual(stage.x);
      expect(x + width, path).toBeLessThanOrEqual(stage.x + stage.width);
    }
    expect(stage.x + stage.width, path).toBeLessThanOrEqual(360);
    await expectAccessible(page);
  }
  await page.goto("/dice");
  await expect(roll(page)).toBeEnabled();
  await expect(slider(page)).toBeInViewport({ ratio: 1 });
  // The dock begins with the amount.
  const dock = await boxOf(page.getByLabel("Bet amount"));
  const track = await boxOf(slider(page));
  expect(track.y + track.height).toBeLessThanOrEqual(dock.y);
});
