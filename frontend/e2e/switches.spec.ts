import { type Page, request } from "@playwright/test";
import { rowOf } from "./admin-support";
import { colleague, post, takeOver } from "./colleagues";
import { OwnHouse } from "./own-house";
import { expect, expectAccessible, newPage, PASSWORD, setBalance, shot, test, toastTitled } from "./support";

// The switches of the house and the restrictions of a player, from the panel to what players read.

const REASON = "The provider is down until noon";

/** Sets a switch in the panel. */
async function set(page: Page, button: string, reason: string): Promise<void> {
  await page.getByRole("button", { name: button }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Reason").fill(reason);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: /^Set to/ }).click();
  await expect(toastTitled(page, "Success")).toBeVisible();
  await expect(dialog).toHaveCount(0);
}

/** What the dialog says that the header's button or the account menu opens. */
async function dialogSays(page: Page, opener: string, texts: readonly string[]): Promise<void> {
  await page.getByRole("button", { name: opener, exact: true }).first().click();
  const dialog = page.getByRole("dialog");
  for (const text of texts) await expect(dialog).toContainText(text);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Close", exact: true }).last().click();
  await expect(dialog).toHaveCount(0);
}

test("switches stop what they say, players read why, and owners resume", async ({ page, browser }, info) => {
  const house = await OwnHouse.open();
  const playing = await newPage(browser, page);
  try {
    const player = await request.newContext({ baseURL: house.url });
    const { id } = await post<{ id: number }>(player, "/api/register", { username: "lena", password: PASSWORD });
    const owner = await house.administrator();
    await setBalance(owner, id, "100.00");
    await takeOver(page, owner);
    await takeOver(playing, player);
    await playing.goto(`${house.url}/dice`);
    await expect(playing.getByTestId("main-action")).toBeEnabled();

    // A deposit is refused while its form is open.
    await playing.getByRole("button", { name: "Deposit", exact: true }).first().click();
    await playing.getByRole("dialog").getByLabel("Amount (USD)").fill("25");
    await page.goto(`${house.url}/admin?tab=switches`);
    await expect(page.getByRole("list", { name: "Switches" }).getByRole("listitem")).toHaveCount(4);
    await expectAccessible(page);
    await set(page, "Set Deposits to Paused", REASON);
    const deposits = page.getByRole("list", { name: "Switches" }).getByRole("listitem").nth(1);
    await expect(deposits).toContainText("Paused");
    await expect(deposits).toContainText(`Players are told: ${REASON}`);
    await playing.getByRole("dialog").getByRole("button", { name: "Create Invoice" }).click();
    await expect(toastTitled(playing, "Error")).toContainText(`Deposits are paused at the moment: ${REASON}`);
    await expect(playing.getByRole("dialog")).toContainText("Deposits are paused at the moment.");
    await shot(playing, info, "deposit-paused");
    await playing.getByRole("dialog").getByRole("button", { name: "Close", exact: true }).last().click();

    // Maintenance, which a cashier can turn on and only an owner off.
    const cashier = await colleague(house, "cashier");
    await takeOver(page, cashier);
    await page.goto(`${house.url}/admin?tab=switches`);
    await set(page, "Set Maintenance to On", "We are back at 14:00 UTC");
    await expect(page.getByText("Only owners can resume it.").first()).toBeVisible();
    await expect(page.getByRole("button", { name: "Set Maintenance to Off" })).toHaveCount(0);
    await shot(page, info, "switches");
    await playing.getByTestId("main-action").click();
    await expect(toastTitled(playing, "Error")).toContainText("under maintenance: We are back at 14:00 UTC");
    const notice = playing.getByRole("region", { name: "Maintenance" });
    await expect(notice).toContainText("Glasshouse is under maintenance. We are back at 14:00 UTC");
    await expect(playing.getByTestId("main-action")).toContainText("Maintenance");
    await expectAccessible(playing);
    await shot(playing, info, "maintenance");
    await dialogSays(playing, "Deposit", ["Glasshouse is under maintenance.", "We are back at 14:00 UTC"]);

    // A visitor cannot register, and reads why.
    const visitor = await newPage(browser, page);
    await visitor.goto(`${house.url}/auth?tab=register`);
    await visitor.getByRole("button", { name: "I understand, I am not based in the US" }).click();
    await expect(visitor.getByRole("region", { name: "Maintenance" })).toBeVisible();
    await expect(visitor.getByRole("button", { name: "Create Account" })).toBeDisabled();
    await shot(visitor, info, "register");
    await visitor.close();

    const { code, text } = await house.command("maintenance", "off", "--reason", "Done");
    expect(code, text).toBe(0);
    await expect(async () => {
      await playing.reload();
      await expect(playing.getByTestId("main-action")).toBeEnabled({ timeout: 2000 });
    }).toPass();
    await expect(notice).toHaveCount(0);
  } finally {
    await house.close(page, playing);
  }
});

test("a player's betting and withdrawing are blocked and unblocked", async ({ page, browser }, info) => {
  const house = await OwnHouse.open();
  const playing = await newPage(browser, page);
  try {
    const player = await request.newContext({ baseURL: house.url });
    const { id } = await post<{ id: number }>(player, "/api/register", { username: "lena", password: PASSWORD });
    const owner = await house.administrator();
    await setBalance(owner, id, "100.00");
    await takeOver(page, owner);
    await takeOver(playing, player);
    await playing.goto(`${house.url}/dice`);
    await expect(playing.getByTestId("main-action")).toBeEnabled();
    await page.goto(`${house.url}/admin?tab=users&search=lena`);
    for (const restriction of ["Betting", "Withdrawing"]) {
      await page.getByRole("button", { name: "More actions for lena" }).click();
      await page.getByRole("menuitem", { name: "Restrict" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("radio", { name: restriction }).click();
      await dialog.getByLabel("Reason").fill("a stolen card");
      await expectAccessible(page);
      if (restriction === "Betting") await shot(page, info, "restrict");
      await dialog.getByRole("button", { name: `Block ${restriction}` }).click();
      await expect(dialog).toHaveCount(0);
      await expect(rowOf(page, "Users", "lena")).toContainText(`No ${restriction.toLowerCase()}`);
    }
    await shot(page, info, "restricted-user");
    await playing.getByTestId("main-action").click();
    await expect(toastTitled(playing, "Error")).toContainText("Betting and deposits are blocked for your account.");
    const notice = playing.getByRole("region", { name: "Restriction" });
    await expect(notice).toContainText("Bets, deposits and withdrawals are blocked for your account.");
    await expect(playing.getByTestId("main-action")).toContainText("Blocked");
    expect(await playing.content()).not.toContain("stolen");
    await expectAccessible(playing);
    await shot(playing, info, "blocked-player");
    await dialogSays(playing, "Deposit", ["blocked for your account", "Please contact support."]);
    for (const restriction of ["Betting", "Withdrawing"]) {
      await page.getByRole("button", { name: "More actions for lena" }).click();
      await page.getByRole("menuitem", { name: "Restrict" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("radio", { name: restriction }).click();
      await dialog.getByLabel("Reason").fill("cleared up");
      await dialog.getByRole("button", { name: `Unblock ${restriction}` }).click();
      await expect(dialog).toHaveCount(0);
    }
    await playing.reload();
    await expect(playing.getByTestId("main-action")).toBeEnabled();
    await expect(notice).toHaveCount(0);
  } finally {
    await house.close(page, playing);
  }
});

test("an owner limits a game, and a player is told the largest bet", async ({ page, browser }, info) => {
  const house = await OwnHouse.open();
  const playing = await newPage(browser, page);
  try {
    const player = await request.newContext({ baseURL: house.url });
    const { id } = await post<{ id: number }>(player, "/api/register", { username: "lena", password: PASSWORD });
    const owner = await house.administrator();
    await setBalance(owner, id, "100.00");
    await takeOver(page, owner);
    await takeOver(playing, player);
    await page.goto(`${house.url}/admin?tab=switches`);
    await page.getByRole("button", { name: "Change the limits of Dice" }).click();
    const dialog = page.getByRole("dialog", { name: "Limits of Dice" });
    await dialog.getByLabel("Largest stake ($)").fill("2000");
    await dialog.getByLabel("Reason").fill("A small bankroll");
    await dialog.getByRole("button", { name: "Set Limits" }).click();
    await expect(dialog).toContainText("Please enter an amount from $0.01 to $1,000.00, or nothing");
    await expectAccessible(page);
    await shot(page, info, "limits-dialog");
    await dialog.getByLabel("Largest stake ($)").fill("5");
    await dialog.getByLabel("Most won by a round ($)").fill("100");
    await dialog.getByRole("button", { name: "Set Limits" }).click();
    await expect(dialog).toHaveCount(0);
    const limits = page.getByRole("list", { name: "Limits" });
    await expect(limits.getByRole("listitem").first()).toContainText("$5.00the rules allow $1,000.00");
    await expectAccessible(page);
    await limits.scrollIntoViewIfNeeded();
    await shot(page, info, "limits");

    await playing.goto(`${house.url}/dice`);
    const amount = playing.getByLabel("Bet amount");
    await expect(playing.getByTestId("main-action")).toBeEnabled();
    // The page knows the limit as soon as it has loaded the game's settings.
    await expect(async () => {
      await playing.getByRole("button", { name: "Max bet" }).click();
      await expect(amount).toHaveValue("5.00", { timeout: 500 });
    }).toPass();
    await amount.fill("5.01");
    await amount.press("Enter");
    await expect(toastTitled(playing, "Bet Exceeds Limit")).toContainText("Maximum allowed is $5.00");
    await amount.fill("5");
    await amount.press("Enter");
    await expect(playing.getByRole("table", { name: /^Your last bets/ }).getByRole("row")).toHaveCount(2);
  } finally {
    await house.close(page, playing);
  }
});
