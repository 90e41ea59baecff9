import type { Page } from "@playwright/test";
import { chooseRound, instantCrash, instantMarket } from "./chosen-rounds";
import { expect, signInAsPlayer, test, toastTitled, inBetOptions } from "./support";

// Invalid input in a numeric field shows a message, marks the field and sends no request.

const UNREADABLE = ["", "1e2", "-5", "1,50", "abc", "."];
const DIGITS = "9".repeat(30);
const BET = ["Invalid Bet", "Bet amount must be greater than 0"] as const;
const FUNDS = ["Insufficient Balance", "You don't have enough funds to place this bet"] as const;
const TARGET = ["Invalid Target", "Target number must be between 1 and 98"] as const;
const AUTO = ["Invalid auto cashout multiplier", "greater than 1"] as const;
const SELL = ["Invalid Auto-Sell Amount", "Auto-sell amount must be greater than your bet amount"] as const;

type Message = readonly [title: string, description: string];
type Case = readonly [text: string, title: string, description: string];
const each = (texts: readonly string[], [title, description]: Message): Case[] =>
  texts.map((text) => [text, title, description]);
const bets: Case[] = [...each([...UNREADABLE, "0", "1.234"], BET), ...each([DIGITS, "50.5"], FUNDS)];
const FIELDS: { path: string; field: string; cases: Case[] }[] = [
  { path: "/dice", field: "Bet amount", cases: bets },
  { path: "/dice", field: "Target number", cases: each([...UNREADABLE, "0", "99", "50.5", DIGITS], TARGET) },
  { path: "/crash", field: "Bet amount", cases: bets },
  {
    path: "/crash",
    field: "Auto cash-out multiplier",
    cases: each([...UNREADABLE.slice(1), "1", "1.234", DIGITS], AUTO),
  },
  { path: "/stonks", field: "Bet amount", cases: bets },
  { path: "/stonks", field: "Auto-Sell profit target ($)", cases: each([...UNREADABLE.slice(1), "10", DIGITS], SELL) },
  { path: "/dashboard/poker#heads-up", field: "Opening bet", cases: bets },
];

/** Collects the requests that place a bet; none may be sent. */
function watchBets(page: Page): string[] {
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && /\/api\/(dice|crash|stonks|poker)\//.test(request.url()))
      sent.push(request.url());
  });
  return sent;
}

/** Waits until the game knows the rounds in play, which enables its main button: a key press does not wait. */
const expectReady = (page: Page) =>
  expect(page.locator("[data-testid=main-action], [data-testid=heads-up-action]").first()).toBeEnabled();

for (const { path, field, cases } of FIELDS) {
  test(`${path}: "${field}" accepts any text and shows what is wrong with it`, async ({ page, administrator }) => {
    await signInAsPlayer(page, administrator, "50.00");
    const sent = watchBets(page);
    await page.goto(path);
    const input = page.getByRole("textbox", { name: field });
    await expect(input).toBeVisible();
    await expectReady(page);
    for (const [text, title, description] of cases) {
      await input.fill(text);
      await expect(input).toHaveAttribute("aria-invalid", "true");
      await expect(input).toHaveAccessibleDescription(new RegExp(description.slice(0, 20).replace(/[$.()]/g, ".")));
      await input.press("Enter");
      await expect(toastTitled(page, title)).toContainText(description);
      await expect(input).toBeFocused();
      await expect(page.getByRole("main")).not.toContainText(/NaN|Infinity|undefined/);
    }
    expect(sent).toEqual([]);
  });
}

test("dice shows no odds for an invalid target, and continues with the next valid one", async ({
  page,
  administrator,
}) => {
  await signInAsPlayer(page, administrator, "50.00");
  await page.goto("/dice");
  await inBetOptions(page, async () => {
    const target = page.getByRole("textbox", { name: "Target number" });
    for (const text of ["50.5", "1000", "-5", ""]) {
      await target.fill(text);
      for (const name of ["Win chance", "Multiplier", "Profit on win"])
        await expect(page.locator("dt", { hasText: name }).locator("+ dd")).toHaveText("–");
      await expect(page.getByText("Over –")).toBeVisible();
    }
    await target.fill("75");
    await expect(page.locator("dt", { hasText: "Win chance" }).locator("+ dd")).toHaveText("25.0%");
    await expect(target).not.toHaveAttribute("aria-invalid");
    await target.fill("1");
  });
  await page.getByRole("button", { name: /^Roll for/ }).click();
  await expect(toastTitled(page, "Invalid Target")).toContainText("This bet cannot make a profit");
});

test("2× and Max stop at the maximum bet", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator, "15.00");
  await page.goto("/dice");
  const amount = page.getByLabel("Bet amount");
  await page.getByRole("button", { name: "2× the bet" }).click();
  await expect(amount).toHaveValue("15.00");
  await page.getByRole("button", { name: "½ the bet" }).click();
  await expect(amount).toHaveValue("7.50");
  await page.getByRole("button", { name: "Max bet" }).click();
  await expect(amount).toHaveValue("15.00");
});

/** Records the texts of the live regions as they change; two rounds with the same result have a region each. */
async function watchAnnouncements(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const announced: string[] = [];
    const last = new WeakMap<Element, string>();
    Object.assign(window, { announced });
    const read = (node: Node) => {
      const element = node instanceof Element ? node : node.parentElement;
      const region = element?.closest("[aria-live=polite], [aria-live=assertive], [role=alert]");
      const text = region?.textContent?.trim() ?? "";
      if (!region || text === "" || last.get(region) === text) return;
      last.set(region, text);
      announced.push(`${region.getAttribute("aria-live") ?? "assertive"}: ${text}`);
    };
    new MutationObserver((changes) => {
      for (const { target, addedNodes } of changes) for (const node of [target, ...addedNodes]) read(node);
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
  });
  return () => page.evaluate(() => (window as unknown as { announced: string[] }).announced);
}

test("pressing Enter three times plays three rounds of dice, each announced politely once", async ({
  page,
  administrator,
}) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await signInAsPlayer(page, administrator);
  await page.goto("/dice");
  const amount = page.getByLabel("Bet amount");
  await expectReady(page);
  await amount.fill("1.00");
  const announced = await watchAnnouncements(page);
  const rows = page.getByRole("table", { name: /^Your last bets/ }).getByRole("button", { name: /verify$/ });
  for (let round = 1; round <= 3; round += 1) {
    await amount.press("Enter");
    await expect(rows).toHaveCount(round);
    await expect(amount).toBeFocused();
    await expect.poll(async () => (await announced()).filter((line) => line.includes("You rolled")).length).toBe(round);
  }
  for (const line of await announced()) expect(line).toMatch(/^polite: /);
  const history = (await (await page.context().request.get("/api/game-history")).json()) as {
    id: number;
    diceResult: number;
    profit: string;
  }[];
  expect(history).toHaveLength(3);
  // The chips and the table are still there after a reload.
  await page.reload();
  await expect(rows).toHaveCount(3);
  await expect(page.getByRole("list", { name: "Last rolls" }).getByRole("button").first()).toHaveText(
    String(history[0]?.diceResult),
  );
});

for (const [path, wanted, chip] of [
  ["/crash", instantCrash, "1.00×"],
  ["/stonks", instantMarket, "0.000×"],
] as const) {
  test(`pressing Enter three times plays three rounds of ${path} and keeps the focus in the field`, async ({
    page,
    administrator,
  }) => {
    await signInAsPlayer(page, administrator);
    await page.goto(path);
    const amount = page.getByLabel("Bet amount");
    await expectReady(page);
    await amount.fill("1.00");
    const rows = page.getByRole("table", { name: /^Your last bets/ }).getByRole("button", { name: /verify$/ });
    for (let round = 1; round <= 3; round += 1) {
      await chooseRound(page.context().request, wanted);
      await amount.press("Enter");
      await expect(rows).toHaveCount(round);
      await expect(amount).toBeFocused();
    }
    await page.reload();
    await expect(page.getByRole("list", { name: "Last results" }).getByRole("button").first()).toHaveText(chip);
  });
}
