import type { Page } from "@playwright/test";
import { chooseRound, drawn, rotateSeeds, showdown } from "./chosen-rounds";
import { clickTwice, doubleClickInto, expect, expectAccessible, signInAsPlayer, test, toastTitled } from "./support";

// Unless a test is about how a hand ends, it accepts every possible end and checks the money.

type Round = { id: number; gameType: string; outcome: string; betAmount: string; winAmount: string };
type Open = { poker: { heldIndexes: number[] } | null; headsUp: { roundId: number } | null };

const main = (page: Page) => page.getByTestId("main-action");
const table = (page: Page) => page.getByRole("region", { name: "Jacks or Better" });
const cards = (page: Page) => table(page).getByRole("group", { name: "Your hand" });
const card = (page: Page, index: number) => cards(page).getByRole("checkbox").nth(index);
const headsUp = (page: Page) => page.getByRole("region", { name: "Heads-up hold'em" });
const headsUpMain = (page: Page) => page.getByTestId("heads-up-action");
const apiGet = async <T>(page: Page, path: string) => (await (await page.context().request.get(path)).json()) as T;
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

async function deal(page: Page): Promise<void> {
  await main(page).click();
  await expect(main(page)).toHaveText("Draw Cards");
  await expect(cards(page).getByRole("checkbox")).toHaveCount(5);
}

/** Holds or releases a card and waits until the server has confirmed it, since other actions are ignored meanwhile. */
async function toggle(page: Page, act: () => Promise<void>): Promise<void> {
  const answer = page.waitForResponse("**/api/poker/hold");
  await act();
  await answer;
  await expect(main(page)).toBeEnabled();
}

/** Checks that the banner, the toast and the button show how the hand ended. */
async function expectResult(page: Page): Promise<void> {
  await expect(main(page)).toHaveText(/^New Game/);
  const [round] = await roundsOf(page);
  if (round?.outcome.startsWith("win")) {
    await expect(main(page)).toHaveText("New Game (You Won!)");
    await expect(page.getByTestId("result")).toHaveText(`You won $${round.winAmount}`);
    await expect(toastTitled(page, "Winner!")).toContainText(`You won $${round.winAmount} with a `);
  } else {
    await expect(main(page)).toHaveText("New Game");
    await expect(page.getByTestId("result")).toHaveText("No win this time. Try again!");
  }
}

test("a hand is dealt, held by click and by key, drawn and explained @both", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await page.goto("/poker");
  await expect(page.getByRole("heading", { level: 1, name: "Jacks or Better Video Poker" })).toBeVisible();
  await expect(main(page)).toHaveText("Deal Cards");
  await expect(page.getByTestId("status")).toHaveText("Place your bet and deal to start a new game");
  await expect(cards(page).getByRole("img", { name: "Empty card slot" })).toHaveCount(5);
  await expectAccessible(page);

  await deal(page);
  await expect(table(page)).toContainText("Balance $99.00");
  await expect(page.getByRole("switch", { name: "Max Bet" })).toBeDisabled();
  await toggle(page, () => card(page, 1).click());
  await expect(card(page, 1)).toBeChecked();
  await expect(card(page, 1)).toHaveAccessibleName(/, held$/);
  await expect(page.getByTestId("status")).toHaveText(
    "Cards held. Click Draw to continue or select more cards to hold.",
  );
  await toggle(page, () => page.keyboard.press("4"));
  await expect(card(page, 3)).toBeChecked();
  await toggle(page, () => page.keyboard.press("4"));
  await expect(card(page, 3)).not.toBeChecked();
  await expect(table(page).getByText("HELD", { exact: true })).toHaveCount(1);
  await expectAccessible(page);

  const held = (await card(page, 1).getAttribute("aria-label")) ?? "";
  await main(page).click();
  await expectResult(page);
  await expect(cards(page).getByRole("img").nth(1)).toHaveAccessibleName(held);
  await expectAccessible(page);
  await expectBalanced(page, 100);

  await page.getByRole("button", { name: "Show the best play" }).click();
  await expect(page.getByRole("region", { name: "All 32 holds" }).getByRole("row")).toHaveCount(33);
  await expect(page.getByText(/^You made the best play|^The best play: hold/)).toBeVisible();
  await expect(page.getByText("Best", { exact: true })).toBeVisible();
  await expect(page.getByText("Yours", { exact: true })).toHaveCount(1);
  await expectAccessible(page);

  await page.getByRole("button", { name: "Change bet" }).click();
  await expect(main(page)).toHaveText("Deal Cards");
  await expect(page.getByTestId("status")).toHaveText("Place your bet and deal to start a new game");
  await expect(page.getByRole("button", { name: "Show the best play" })).toHaveCount(0);
});

test("a hand continues after a reload, including its holds", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await page.goto("/poker");
  await deal(page);
  const names = await cards(page)
    .getByRole("checkbox")
    .evaluateAll((all) => all.map((each) => each.getAttribute("aria-label")));
  for (const index of [0, 4]) {
    await toggle(page, () => card(page, index).click());
  }
  await expect.poll(async () => (await openOf(page)).poker?.heldIndexes).toEqual([0, 4]);
  await page.reload();
  await expect(main(page)).toHaveText("Draw Cards");
  await expect(card(page, 0)).toHaveAccessibleName(`${names[0]}, held`);
  await expect(card(page, 2)).toHaveAccessibleName(names[2] ?? "");
  await expect(card(page, 4)).toBeChecked();
  await main(page).click();
  await expectResult(page);
  await expectBalanced(page, 100);
});

test("a whole hand can be played with the keyboard, one step per key press", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await page.goto("/poker");
  await expect(main(page)).toBeEnabled();
  await page.keyboard.press("Enter");
  await expect(main(page)).toHaveText("Draw Cards");
  await toggle(page, () => page.keyboard.press("1"));
  await expect(card(page, 0)).toBeChecked();
  // On a card, Space holds and Enter draws; on the button, Enter acts once.
  await card(page, 2).focus();
  await toggle(page, () => page.keyboard.press("Space"));
  await expect(card(page, 2)).toBeChecked();
  await page.keyboard.press("Enter");
  await expectResult(page);
  // The next hand is dealt at once.
  await main(page).focus();
  await page.keyboard.press("Enter");
  await expect(main(page)).toHaveText("Draw Cards");
  expect(await roundsOf(page)).toHaveLength(1);
});

test("Max Bet sets ten dollars, and the bet can only be changed between hands", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await page.goto("/poker");
  const slider = page.getByRole("slider", { name: "Bet Amount" });
  const maxBet = page.getByRole("switch", { name: "Max Bet" });
  await slider.focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect(page.getByTestId("bet")).toHaveText("$3.00");
  await maxBet.click();
  await expect(page.getByTestId("bet")).toHaveText("$10.00");
  await expect(maxBet).toBeChecked();
  await maxBet.click();
  await expect(page.getByTestId("bet")).toHaveText("$3.00");
  await expect(maxBet).not.toBeChecked();
  await maxBet.click();
  await deal(page);
  await expect(maxBet).toBeDisabled();
  await expect(slider).toHaveAttribute("aria-disabled", "true");
  await main(page).click();
  await expectResult(page);
  expect((await roundsOf(page))[0]?.betAmount).toBe("10.00");
  await expectBalanced(page, 100);
});

test("payouts are shown until they are closed, and rules can be opened", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await page.goto("/poker");
  await deal(page);
  const payouts = page.getByRole("table", { name: "Payouts, times the bet" });
  await expect(payouts.getByRole("row")).toHaveCount(11);
  await expect(payouts.getByRole("row", { name: /^FOUR OF A KIND/ })).toContainText("25x");
  await expect(payouts.getByRole("row", { name: /^ROYAL FLUSH/ })).toContainText("250x800x at Max Bet$250.00");
  await expect(payouts.locator("[aria-current=true]")).toHaveCount(1);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Payouts", exact: true }).click();
  await expect(payouts).toHaveCount(0);
  await expectAccessible(page);

  await page.getByRole("button", { name: "Rules and payouts" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("The minimum winning hand is a pair of Jacks or better.")).toBeVisible();
  for (const section of ["Hand Rankings", "Paytable (8/5)"])
    await dialog.getByRole("button", { name: section }).click();
  await expect(dialog.getByText("97.29843375 %")).toBeVisible();
  await expectAccessible(page);
  // Keys do not affect the hand behind a dialog.
  await page.keyboard.press("1");
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(card(page, 0)).not.toBeChecked();
});

test("a double click plays one step, a lost response costs nothing, and a refusal is shown", async ({
  page,
  administrator,
}) => {
  await signInAsPlayer(page, administrator, "3.00");
  await chooseRound(page.context().request, drawn("HIGH_CARD"));
  await page.goto("/poker");
  await expect(main(page)).toBeEnabled();
  await doubleClickInto(main(page), "Draw Cards");
  await expect(main(page)).toHaveText("Draw Cards");
  // The draw reaches the server, but its response does not reach the browser.
  await page.route(
    "**/api/poker/draw",
    async (route) => {
      await route.fetch();
      await route.abort("connectionreset");
    },
    { times: 1 },
  );
  await clickTwice(main(page));
  await expectResult(page);
  expect(await roundsOf(page)).toHaveLength(1);
  await page.getByRole("button", { name: "Change bet" }).click();
  await page.getByRole("switch", { name: "Max Bet" }).click();
  await main(page).click();
  await expect(toastTitled(page, "Error dealing cards")).toBeVisible();
  await expect(page.getByTestId("status")).toHaveText("Error dealing cards. Please try again.");
  await expect(main(page)).toHaveText("Deal Cards");
  await expect(cards(page).getByRole("img", { name: "Empty card slot" })).toHaveCount(5);
});

for (const [name, wanted, title] of [
  ["wins", drawn("JACKS_OR_BETTER", "TWO_PAIR", "THREE_OF_A_KIND"), "New Game (You Won!)"],
  ["loses", drawn("HIGH_CARD"), "New Game"],
] as const) {
  test(`a hand with all cards drawn ${name} and says so`, async ({ page, administrator }) => {
    await signInAsPlayer(page, administrator);
    await chooseRound(page.context().request, wanted);
    await page.goto("/poker");
    await deal(page);
    await main(page).click();
    await expect(main(page)).toHaveText(title);
    await expectResult(page);
    await expectBalanced(page, 100);
  });
}

test("two tabs play the same hand", async ({ page, administrator, context }) => {
  await signInAsPlayer(page, administrator);
  await page.goto("/poker");
  await deal(page);
  const other = await context.newPage();
  await other.goto("/dashboard/poker");
  await expect(main(other)).toHaveText("Draw Cards");
  await main(other).click();
  await expect(main(other)).toHaveText(/^New Game/);
  // This tab is out of date; its draw comes too late and shows the result.
  await main(page).click();
  await expect(main(page)).toHaveText(/^New Game/);
  expect(await roundsOf(page)).toHaveLength(1);
  await expectBalanced(page, 100);
});

test("heads-up is dealt, called and explained @both", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator, "200.00");
  await page.goto("/dashboard/poker#heads-up");
  await expect(headsUp(page).getByLabel("Opening bet")).toHaveValue("25.00");
  await expect(headsUpMain(page)).toHaveText("Deal for $25.00");
  await expectAccessible(page);
  await headsUpMain(page).click();
  await expect(page.getByTestId("pot")).toHaveText("$50.00");
  await expect(headsUp(page).getByRole("list", { name: "The house's cards" })).toHaveText(
    /Face-down card.*Face-down card/,
  );
  await expect(headsUp(page).getByRole("button", { name: "Raise $50.00" })).toBeEnabled();
  await expectAccessible(page);
  await page.reload();
  await headsUp(page).getByRole("button", { name: "Call $25.00" }).click();
  await expect(headsUpMain(page)).toHaveText("New Game");
  const [round] = await roundsOf(page);
  expect(["win (heads-up)", "loss (heads-up)", "push (heads-up)"]).toContain(round?.outcome);
  const title = round?.outcome.startsWith("win") ? "You Won!" : round?.outcome.startsWith("push") ? "Push" : "You Lost";
  await expect(toastTitled(page, title)).toBeVisible();
  await expect(page.getByTestId("heads-up-result")).toContainText(/The house (qualifies|does not qualify)/);
  await expect(headsUp(page).getByRole("list", { name: "The house's cards" })).not.toContainText("Face-down");
  await expectAccessible(page);
  await expectBalanced(page, 200);

  await page.getByRole("button", { name: "Show the best play" }).click();
  await expect(page.getByText(/Of all 1,070,190 ways/)).toBeVisible();
  await expect(page.getByRole("row", { name: /Yours/ })).toContainText("Call");
  await expectAccessible(page);
  await headsUpMain(page).click();
  await expect(headsUpMain(page)).toHaveText("Deal for $25.00");
});

for (const [outcome, title] of [
  ["win", "You Won!"],
  ["loss", "You Lost"],
  ["push", "Push"],
] as const) {
  test(`a heads-up hand ends in a ${outcome}`, async ({ page, administrator }) => {
    await signInAsPlayer(page, administrator, "200.00");
    await chooseRound(page.context().request, showdown(outcome));
    await page.goto("/dashboard/poker#heads-up");
    await headsUpMain(page).click();
    await headsUp(page).getByRole("button", { name: /^Call/ }).click();
    await expect(toastTitled(page, title)).toBeVisible();
    expect((await roundsOf(page))[0]?.outcome).toMatch(new RegExp(`^${outcome}`));
    await expectBalanced(page, 200);
  });
}

test("heads-up can be folded, and an invalid bet shows the reason", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator, "30.00");
  await page.goto("/dashboard/poker#heads-up");
  const bet = headsUp(page).getByLabel("Opening bet");
  const cases = [
    ["0", "Invalid Bet", "Bet amount must be greater than 0"],
    ["4", "Invalid Bet", "Minimum allowed is $5.00"],
    ["35", "Insufficient Balance", "You don't have enough funds to place this bet"],
  ];
  for (const [amount = "", title = "", text = ""] of cases) {
    await bet.fill(amount);
    await headsUpMain(page).click();
    await expect(toastTitled(page, title)).toContainText(text);
  }
  expect((await openOf(page)).headsUp).toBeNull();
  await bet.fill("20");
  await bet.press("Enter");
  await headsUp(page)
    .getByRole("button", { name: /^Raise/ })
    .click();
  await expect(toastTitled(page, "Insufficient Balance")).toBeVisible();
  await headsUp(page).getByRole("button", { name: /^Fold/ }).click();
  await expect(toastTitled(page, "You Lost")).toContainText("You folded and lost $20.00");
  await expect(page.getByTestId("heads-up-result")).toContainText("−$20.00 lost");
  await expectBalanced(page, 30);
});

test("both games fit a narrow phone, and their buttons stay in place @phone", async ({ page, administrator }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await signInAsPlayer(page, administrator, "123456.78");
  await page.goto("/poker");
  await expect(main(page)).toBeEnabled();
  await expectAccessible(page);
  const placeOf = async () => main(page).boundingBox();
  await main(page).scrollIntoViewIfNeeded();
  const before = await placeOf();
  await deal(page);
  await expectAccessible(page);
  expect(await placeOf()).toEqual(before);
  expect((await card(page, 0).boundingBox())?.width).toBeGreaterThanOrEqual(52);
  await main(page).click();
  await expectResult(page);
  await expectAccessible(page);
  expect(await placeOf()).toEqual(before);

  await page.goto("/dashboard/poker#heads-up");
  await headsUpMain(page).scrollIntoViewIfNeeded();
  await headsUpMain(page).click();
  await expect(headsUp(page).getByRole("button", { name: /^Call/ })).toBeEnabled();
  await expectAccessible(page);
  await headsUp(page).getByRole("button", { name: /^Call/ }).click();
  await expect(headsUpMain(page)).toHaveText("New Game");
  await expectAccessible(page);
});

test("hands of both games are listed in the history and can be verified", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await page.goto("/dashboard/poker");
  await deal(page);
  await main(page).click();
  await expectResult(page);
  await page.getByRole("tab", { name: "Heads-up" }).click();
  await headsUpMain(page).click();
  await headsUp(page)
    .getByRole("button", { name: /^Raise/ })
    .click();
  await expect(headsUpMain(page)).toHaveText("New Game");
  await rotateSeeds(page.context().request);
  const rounds = await roundsOf(page);
  expect(rounds.map(({ gameType }) => gameType)).toEqual(["poker", "poker"]);
  await page.goto("/history");
  await expect(page.getByText("Showing 2 of 2 game records")).toBeVisible();
  // Poker has no statistics card.
  await expect(page.getByText("Poker statistics")).toHaveCount(0);
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
