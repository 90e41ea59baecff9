import type { Page } from "@playwright/test";
import { expect, expectAccessible, inBetOptions, signInAsPlayer, test, toastTitled } from "./support";

const main = (page: Page) => page.getByTestId("main-action");
const amount = (page: Page) => page.getByLabel("Bet amount");
const roundsOf = async (page: Page) =>
  (await (await page.context().request.get("/api/game-history")).json()) as { betAmount: string }[];

test("single keys bet, halve, double and repeat, and leave text fields and buttons alone", async ({
  page,
  administrator,
}) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await signInAsPlayer(page, administrator);
  await page.goto("/dice");
  await expect(main(page)).toHaveText("Roll for $10.00");
  await page.keyboard.press("a");
  await expect(amount(page)).toHaveValue("5.00");
  await page.keyboard.press("s");
  await expect(amount(page)).toHaveValue("10.00");
  // Nothing to repeat yet.
  await page.keyboard.press("d");
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Space");
  await expect(toastTitled(page, "You")).toBeVisible();
  await expect(page.getByRole("button", { name: "Repeat $10.00" })).toBeVisible();
  await page.keyboard.press("a");
  await expect(amount(page)).toHaveValue("5.00");
  await page.keyboard.press("d");
  await expect.poll(async () => (await roundsOf(page)).map(({ betAmount }) => betAmount)).toEqual(["10.00", "10.00"]);
  await expect(amount(page)).toHaveValue("10.00");

  await amount(page).fill("");
  await amount(page).pressSequentially("1asd ");
  await expect(amount(page)).toHaveValue("1asd ");
  await page.getByRole("button", { name: "Bet $1.00", exact: true }).click();
  await page.getByRole("button", { name: "Bet $5.00" }).focus();
  await page.keyboard.press("Space");
  await expect(amount(page)).toHaveValue("5.00");
  expect(await roundsOf(page)).toHaveLength(2);
});

test("the list of hotkeys opens by key and from the menu, and switches them off @both", async ({
  page,
  administrator,
  isMobile,
}) => {
  await signInAsPlayer(page, administrator);
  await page.goto("/crash");
  await expect(main(page)).toHaveText("Place bet $10.00");
  await page.keyboard.press("Shift+?");
  const list = page.getByRole("dialog", { name: "Hotkeys" });
  await expect(list).toContainText("SpaceThe main button");
  await expect(list).toContainText("CCash out");
  await expectAccessible(page);
  await list.getByRole("switch").click();
  await page.keyboard.press("Escape");
  await expect(list).toBeHidden();
  await page.keyboard.press("a");
  await expect(amount(page)).toHaveValue("10.00");
  await page.keyboard.press("Shift+?");
  await expect(list).toBeHidden();
  await page.reload();
  await expect(main(page)).toHaveText("Place bet $10.00");
  if (isMobile) await page.getByRole("button", { name: "Open menu" }).click();
  else await page.getByRole("button", { name: /^e2e-/ }).click();
  await page
    .getByRole(isMobile ? "button" : "menuitem", { name: "Hotkeys" })
    .first()
    .click();
  await list.getByRole("switch").click();
  await page.keyboard.press("Escape");
  await expect(list).toBeHidden();
  await page.keyboard.press("a");
  await expect(amount(page)).toHaveValue("5.00");
});

test("heads-up is dealt, called, folded and raised by single keys", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator, "1000.00");
  await page.goto("/poker#heads-up");
  const deal = page.getByTestId("heads-up-action");
  await expect(deal).toHaveText("Deal for $25.00");
  await expect(deal).toBeEnabled();
  // There is nothing to fold yet.
  await page.keyboard.press("f");
  await page.keyboard.press("a");
  await page.keyboard.press("Shift+?");
  const list = page.getByRole("dialog", { name: "Hotkeys" });
  for (const text of ["FFold", "CCall", "RRaise", "AHalve the bet"]) await expect(list).toContainText(text);
  await page.keyboard.press("Escape");
  await expect(list).toBeHidden();
  for (const [key, staked] of [
    ["f", "10.00"],
    ["c", "20.00"],
    ["r", "30.00"],
  ] as const) {
    await page.keyboard.press(key === "f" ? "Space" : "d");
    await expect(page.getByRole("group", { name: "Your move" })).toBeVisible();
    await page.keyboard.press(key);
    await expect(deal).toHaveText("New Game");
    expect((await roundsOf(page))[0]?.betAmount).toBe(staked);
  }
});

test("quick amounts respect the limits, and can be changed for this browser", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator, "30.00");
  await page.goto("/crash");
  const quick = (name: string) => page.getByRole("button", { name, exact: true });
  await inBetOptions(page, async () => {
    await quick("Bet $25.00").click();
    await expect(quick("Bet $100.00")).toHaveAttribute("aria-disabled", "true");
  });
  await expect(amount(page)).toHaveValue("25.00");
  await inBetOptions(page, async () => {
    await page.getByRole("button", { name: "Change the quick amounts" }).click();
    const dialog = page.getByRole("dialog", { name: "Quick amounts" });
    await dialog.getByLabel("First amount").fill("x");
    await dialog.getByLabel("First amount").press("Enter");
    await expect(dialog.getByText("Enter an amount above 0")).toBeVisible();
    await expectAccessible(page);
    await dialog.getByLabel("First amount").fill("2.50");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog).toBeHidden();
    await quick("Bet $2.50").click();
  });
  await expect(amount(page)).toHaveValue("2.50");
  expect(await roundsOf(page)).toEqual([]);
  await page.reload();
  await inBetOptions(page, () => quick("Bet $2.50").click());
  await expect(amount(page)).toHaveValue("2.50");
});

test("turbo shows a roll as soon as it is known", async ({ page, administrator }) => {
  await page.clock.install();
  await signInAsPlayer(page, administrator);
  await page.goto("/dice");
  await expect(main(page)).toHaveText("Roll for $10.00");
  await inBetOptions(page, () => page.getByRole("switch", { name: "Turbo" }).click());
  // From here on no time passes for the page: whatever waits for a timer never happens.
  await page.clock.pauseAt(Date.now() + 60_000);
  const answered = page.waitForResponse("**/api/dice/play");
  await main(page).click();
  await answered;
  await expect(page.getByText(/Round #\d+$/)).toBeVisible();
});
