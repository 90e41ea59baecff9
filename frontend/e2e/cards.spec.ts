import type { Locator, Page } from "@playwright/test";
import { chooseRound, drawn, mineAt, safeAt, showdown } from "./chosen-rounds";
import { expect, expectAccessible, inBetOptions, openMines, signInAsPlayer, test } from "./support";

// The stages of video poker, heads-up and mines: what they mark, and what fits on which screen.

const SMALL_PHONES = [
  { width: 360, height: 640 },
  { width: 390, height: 844 },
];

const main = (page: Page) => page.getByTestId("main-action");
const payouts = (page: Page) => page.getByRole("table", { name: "Payouts, times the bet" });
const currentLine = (page: Page) => payouts(page).locator("[aria-current=true]");
const headsUp = (page: Page) => page.getByRole("region", { name: "Heads-up hold'em" });
const winningCards = (page: Page) => headsUp(page).getByRole("listitem").filter({ hasText: "in the winning hand" });
const cell = (page: Page, number: number) => page.getByRole("button", { name: new RegExp(`^Cell ${number},`) });

/** Checks that an element is wholly between the header and what stands at the bottom of a phone, without scrolling. */
async function expectUncovered(page: Page, element: Locator): Promise<void> {
  const edges = await page.evaluate(() => {
    // A click that has to wait for something in its way scrolls the page to get around it.
    window.scrollTo(0, 0);
    const header = document.querySelector("header");
    const dock = document.querySelector(".dock-amount");
    // On a desktop these are rows of the bet panel.
    const isDocked = dock !== null && getComputedStyle(dock).position === "fixed";
    return {
      top: header?.getBoundingClientRect().bottom ?? 0,
      bottom: isDocked ? dock.getBoundingClientRect().top : window.innerHeight,
    };
  });
  const box = (await element.boundingBox()) ?? { y: -1, height: 0 };
  expect(box.y).toBeGreaterThanOrEqual(edges.top);
  expect(box.y + box.height).toBeLessThanOrEqual(edges.bottom + 0.5);
}

async function dealHand(page: Page): Promise<void> {
  await expect(main(page)).toBeEnabled();
  await main(page).click();
  await expect(main(page)).toHaveText("Draw Cards");
}

test("the payouts of video poker follow the bet and the hand, and mark what has won @both", async ({
  page,
  administrator,
  isMobile,
}) => {
  await signInAsPlayer(page, administrator);
  await chooseRound(page.context().request, drawn("TWO_PAIR"));
  await page.goto("/poker");
  await expect(payouts(page).getByRole("row", { name: /^FULL HOUSE/ })).toContainText("8x$8.00");
  await page.getByRole("slider", { name: "Bet Amount" }).press("ArrowRight");
  await expect(payouts(page).getByRole("row", { name: /^FULL HOUSE/ })).toContainText("8x$16.00");
  await page.getByRole("switch", { name: "Max Bet" }).click();
  await expect(payouts(page).getByRole("row", { name: /^ROYAL FLUSH/ })).toHaveText("ROYAL FLUSH800x$8,000.00");
  await expectUncovered(page, page.getByRole("group", { name: "Your hand" }));
  if (!isMobile) await expectUncovered(page, payouts(page));
  await expectAccessible(page);

  await dealHand(page);
  await expect(currentLine(page)).toHaveCount(1);
  await expect(payouts(page).getByText(", won")).toHaveCount(0);
  await main(page).click();
  await expect(main(page)).toHaveText("New Game (You Won!)");
  await expect(currentLine(page)).toHaveText(/^TWO PAIR, won2x\$20\.00$/);
  await expectUncovered(page, page.getByTestId("result"));
  await expectAccessible(page);
});

test("each hand of video poker is one key press away from the last one, for the same bet", async ({
  page,
  administrator,
}) => {
  await signInAsPlayer(page, administrator);
  await page.goto("/poker");
  await page.getByRole("slider", { name: "Bet Amount" }).press("ArrowRight");
  await expect(page.getByTestId("bet")).toHaveText("$2.00");
  await dealHand(page);
  // The cards take the focus with them when they are no longer a choice.
  await page.getByRole("checkbox").first().focus();
  for (const key of ["Enter", "Space"]) {
    await page.keyboard.press("Enter");
    await expect(main(page)).toHaveText(/^New Game/);
    await expect(page.getByRole("slider", { name: "Bet Amount" })).toHaveCount(0);
    await page.keyboard.press(key);
    await expect(main(page)).toHaveText("Draw Cards");
    await expect(page.getByTestId("bet")).toHaveText("$2.00");
  }
  await page.keyboard.press("Space");
  await expect(main(page)).toHaveText(/^New Game/);
  // The bet can be changed between hands, without dealing.
  await page.getByRole("button", { name: "Change bet" }).click();
  await expect(main(page)).toHaveText("Deal Cards");
  await page.getByRole("slider", { name: "Bet Amount" }).press("ArrowRight");
  await expect(page.getByTestId("bet")).toHaveText("$3.00");
  await dealHand(page);
  const answer = await page.context().request.get("/api/game-history");
  const rounds = (await answer.json()) as { betAmount: string }[];
  expect(rounds.map(({ betAmount }) => betAmount)).toEqual(["2.00", "2.00", "2.00"]);
});

for (const [outcome, text] of [
  ["win", /^You win with /],
  ["loss", /^The house wins with /],
] as const) {
  test(`the five cards of a ${outcome} are marked in heads-up, and said`, async ({ page, administrator }) => {
    await signInAsPlayer(page, administrator, "200.00");
    await chooseRound(page.context().request, showdown(outcome));
    await page.goto("/poker#heads-up");
    await page.getByTestId("heads-up-action").click();
    await expect(headsUp(page).getByRole("button", { name: /^Call/ })).toBeEnabled();
    await expect(winningCards(page)).toHaveCount(0);
    await headsUp(page).getByRole("button", { name: /^Call/ }).click();
    await expect(winningCards(page)).toHaveCount(5);
    const said = page.getByTestId("winning-hand");
    await expect(said).toHaveText(text);
    const names = await winningCards(page).allTextContents();
    for (const name of names) await expect(said).toContainText(name.replace(/, in the winning hand.*/, ""));
    await expectAccessible(page);
  });
}

for (const viewport of [
  { width: 844, height: 390 },
  { width: 740, height: 360 },
]) {
  test(`the nine cards of heads-up are in one row at ${viewport.width} × ${viewport.height} @phone`, async ({
    page,
    administrator,
  }) => {
    await page.setViewportSize(viewport);
    await signInAsPlayer(page, administrator, "200.00");
    await page.goto("/poker#heads-up");
    await page.getByTestId("heads-up-action").click();
    await headsUp(page).getByRole("button", { name: /^Call/ }).click();
    await expect(page.getByTestId("heads-up-action")).toHaveText("New Game");
    const cards = headsUp(page)
      .getByRole("list", { name: /cards$|^Board$/ })
      .getByRole("listitem");
    await expect(cards).toHaveCount(9);
    const bottoms = await cards.evaluateAll((all) =>
      all.map((card) => Math.round(card.getBoundingClientRect().bottom)),
    );
    expect(new Set(bottoms).size, String(bottoms)).toBe(1);
    await expectAccessible(page);
  });
}

for (const viewport of SMALL_PHONES) {
  test(`the whole heads-up table is above the dock at ${viewport.width} × ${viewport.height} @phone`, async ({
    page,
    administrator,
  }) => {
    await page.setViewportSize(viewport);
    await signInAsPlayer(page, administrator, "200.00");
    await page.goto("/poker#heads-up");
    await page.getByTestId("heads-up-action").click();
    await expect(headsUp(page).getByRole("button", { name: /^Call/ })).toBeEnabled();
    for (const name of ["The house's cards", "Board", "Your cards"])
      await expectUncovered(page, headsUp(page).getByRole("list", { name }));
    await headsUp(page).getByRole("button", { name: /^Call/ }).click();
    await expect(page.getByTestId("heads-up-action")).toHaveText("New Game");
    await expectUncovered(page, headsUp(page).getByRole("list", { name: "Board" }));
    await expectUncovered(page, page.getByTestId("heads-up-outcome"));
    await expectAccessible(page);
  });

  test(`the state of mines is whole and above the dock at ${viewport.width} × ${viewport.height} @phone`, async ({
    page,
    administrator,
  }) => {
    await openMines(administrator);
    await page.setViewportSize(viewport);
    await signInAsPlayer(page, administrator, "2000.00");
    await chooseRound(page.context().request, safeAt(10, 1, 2, 3));
    await page.goto("/mines");
    await expect(main(page)).toBeEnabled();
    await page.getByLabel("Bet amount").fill("1000");
    await inBetOptions(page, () => page.getByLabel("Number of mines").selectOption("10"));
    await main(page).click();
    const standing = page.getByTestId("standing");
    for (const number of [1, 2, 3]) {
      await cell(page, number).click();
      await expect(cell(page, number)).toHaveAccessibleName(`Cell ${number}, safe`);
      await expectUncovered(page, standing);
      const cut = await standing.evaluate(
        (element) =>
          [element, ...element.querySelectorAll("*")].filter(
            (each) => each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 0,
          ).length,
      );
      expect(cut, "texts that are cut").toBe(0);
    }
    await expect(standing).toContainText(/Next \d/);
    await main(page).click();
    await expect(main(page)).toHaveText(/^Place bet/);
    await expectUncovered(page, standing);
    await expectAccessible(page);
  });
}

test("a safe cell of mines ripples once, and the end shows every mine", async ({ page, administrator }) => {
  await openMines(administrator);
  await signInAsPlayer(page, administrator);
  await chooseRound(
    page.context().request,
    async (...seeds) => (await safeAt(3, 1)(...seeds)) && mineAt(3, 8)(...seeds),
  );
  await page.goto("/mines");
  await expect(main(page)).toBeEnabled();
  await main(page).click();
  await expect(main(page)).toHaveText("Choose a cell");
  await cell(page, 1).click();
  const ripple = cell(page, 1).locator("[data-ripple]");
  await expect(ripple).toHaveCount(1);
  expect(await ripple.evaluate((element) => getComputedStyle(element).animationIterationCount)).toBe("1");
  await expect(ripple).toHaveCSS("opacity", "0");
  await cell(page, 8).click();
  await expect(cell(page, 8)).toHaveAccessibleName("Cell 8, mine, hit");
  await expect(page.getByRole("button", { name: /, mine$/ })).toHaveCount(2);
  await expect(page.getByTestId("standing")).toContainText("Mine on cell 8");
  await expectAccessible(page);
});
