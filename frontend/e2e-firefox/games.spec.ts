import { drawn, longCrash, longMarket, rollOver50, safeAt, showdown } from "../e2e/chosen-rounds";
import { click, expect, expectSettled, expectShown, expectText, openGame, test } from "./support";

// A round of each game, played with the mouse. The seeds decide each result in advance; only what a sale in Stonks
// pays depends on its moment.

const MAIN = "[data-testid=main-action]";
const TOASTS = "ol.toasts";
/** Dice has its own button in the dock. */
const ROLL = "[data-dock] button";

test("dice: a bet is rolled and wins", async ({ player }) => {
  await openGame(player, "/dice", rollOver50);
  await expectText(player.page, ROLL, /^Roll for \$10\.00$/);
  await click(player.page, ROLL);
  await expectText(player.page, TOASTS, /You Won!/);
  expect((await expectSettled(player)).outcome).toMatch(/^win/);
});

for (const { name, path, wanted, exit, toast, outcome } of [
  {
    name: "crash",
    path: "/crash",
    wanted: longCrash,
    exit: /^Cash out/,
    toast: /Cashed Out!/,
    outcome: /^win \(\d+\.\d\dx\)$/,
  },
  {
    name: "stonks",
    path: "/stonks",
    wanted: longMarket,
    exit: /^Sell/,
    toast: /Sold!/,
    outcome: /^(win|loss) \(\d+\.\d\dx\)$/,
  },
])
  test(`${name}: a round is started and left in time`, async ({ player }) => {
    const { page } = player;
    await openGame(player, path, wanted);
    await click(page, MAIN);
    await expectText(page, MAIN, exit);
    await click(page, MAIN);
    await expectText(page, TOASTS, toast);
    expect((await expectSettled(player)).outcome).toMatch(outcome);
  });

test("video poker: a hand is dealt, held, drawn and wins", async ({ player }) => {
  const { page } = player;
  await openGame(player, "/poker", drawn("JACKS_OR_BETTER", "TWO_PAIR", "THREE_OF_A_KIND"));
  await click(page, MAIN);
  await expectText(page, MAIN, /^Draw Cards$/);
  const card = "[role=checkbox][aria-keyshortcuts='1']";
  await click(page, card);
  await expectShown(page, `${card}[aria-checked=true]`);
  // Clicks are ignored until the server knows what is held.
  await expectText(page, "[data-testid=status]", /^Cards held/);
  await click(page, card);
  await expectShown(page, `${card}[aria-checked=false]`);
  await click(page, MAIN);
  await expectText(page, MAIN, /^New Game \(You Won!\)$/);
  const { winAmount } = await expectSettled(player);
  await expectText(page, "[data-testid=result]", new RegExp(`^You won \\$${winAmount.replace(".", "\\.")}$`));
  await expectText(page, "table [aria-current=true]", /won/);
});

test("heads-up: a hand is dealt and called, and the winning cards are marked", async ({ player }) => {
  const { page } = player;
  await openGame(player, "/poker#heads-up", showdown("win"));
  await click(page, "[data-testid=heads-up-action]");
  await click(page, "[role=group][aria-label='Your move'] button:nth-child(2)");
  await expectText(page, "[data-testid=heads-up-result]", /^You Won!/);
  const marked = () =>
    page.evaluate(
      () => [...document.querySelectorAll("li")].filter((card) => /in the winning hand/.test(card.textContent)).length,
    );
  await expect.poll(marked).toBe(5);
  expect((await expectSettled(player)).outcome).toBe("win (heads-up)");
});

test("mines: two cells are revealed and cashed out", async ({ player }) => {
  const { page } = player;
  await openGame(player, "/mines", safeAt(3, 1, 13));
  await click(page, MAIN);
  await expectText(page, MAIN, /^Choose a cell$/);
  for (const cell of [0, 12]) {
    await click(page, `[data-cell="${cell}"]`);
    await expectShown(page, `[data-cell="${cell}"][data-view=safe]`);
  }
  await expectText(page, MAIN, /^Cash out/);
  await click(page, MAIN);
  await expectText(page, TOASTS, /Cashed Out!/);
  expect((await expectSettled(player)).outcome).toMatch(/^win \(1\.\d\dx\)$/);
});
