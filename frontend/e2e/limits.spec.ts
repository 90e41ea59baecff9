import { limitRow, openLimits, setLimit } from "./limits-support";
import { OwnHouse } from "./own-house";
import { panel } from "./settings-support";
import { clickTwice, expect, expectAccessible, newName, PASSWORD, signInAsPlayer, test, toastTitled } from "./support";

const STAKE = "stake limit a day";
const changes = (page: Parameters<typeof panel>[0]) => panel(page, "History of your limits").getByRole("listitem");

test("a limit is set and lowered at once, and what is used and left of it is shown", async ({
  page,
  administrator,
}) => {
  await signInAsPlayer(page, administrator);
  await openLimits(page);
  await expect(panel(page, "History of your limits")).toContainText("No changes yet");
  const row = limitRow(page, STAKE);
  await expect(row).toContainText("No limit");
  await row.getByRole("button", { name: `Set the ${STAKE}` }).click();
  const field = row.getByLabel("Stake limit a day (USD)");
  await expect(field).toBeFocused();
  for (const [typed, refusal] of [
    ["", "An amount must be a plain decimal number such as 10.50"],
    ["-5", "An amount must be a plain decimal number such as 10.50"],
    ["1.005", "An amount must be a plain decimal number such as 10.50"],
    ["1e3", "An amount must be a plain decimal number such as 10.50"],
    ["9999999999999", "The amount is out of range"],
  ] as const) {
    await field.fill(typed);
    await row.getByRole("button", { name: "Save" }).click();
    await expect(row.getByRole("alert")).toHaveText(refusal);
    await expect(field).toBeFocused();
  }
  await expectAccessible(page);
  let sent = 0;
  page.on("request", (request) => void (request.method() === "PUT" && (sent += 1)));
  await field.fill("50");
  await expect(row).toContainText("In force at once.");
  await clickTwice(row.getByRole("button", { name: "Save" }));
  await expect(toastTitled(page, "Limit Set")).toBeVisible();
  await expect(row).toBeFocused();
  expect(sent).toBe(1);
  await page
    .context()
    .request.post("/api/dice/play", { data: { betAmount: "12.50", targetNumber: 50, betType: "over" } });
  await page.reload();
  await expect(row).toContainText("$50.00");
  await expect(row).toContainText("$12.50 used, $37.50 left");
  await expect(row).toContainText("Resets");
  await row.getByRole("button", { name: `Change the ${STAKE}` }).click();
  await field.fill("12.50");
  await field.press("Enter");
  await expect(row).toContainText("Reached: $12.50 used, $0.00 left");
  await expect(changes(page)).toHaveText([/Stake limit a day set to \$12.50 \(before: \$50.00\)/, /set to \$50.00/]);
  await expectAccessible(page);
});

test("a raise and a removal wait, and can be withdrawn", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await setLimit(page, "stake/day", "10.00");
  await openLimits(page);
  const row = limitRow(page, STAKE);
  await row.getByRole("button", { name: `Change the ${STAKE}` }).click();
  await row.getByLabel("Stake limit a day (USD)").fill("20");
  await expect(row).toContainText("$10.00 stays in force until you confirm the raise, 24 hours from now");
  await row.getByRole("button", { name: "Ask for the raise" }).click();
  await expect(toastTitled(page, "Raise Requested")).toBeVisible();
  await expect(row).toContainText("Raise to $20.00 a day. You can confirm it from");
  await expect(row.getByRole("button", { name: /^Confirm/ })).toHaveCount(0);
  await page.reload();
  await expect(row).toContainText("Raise to $20.00 a day.");
  await expectAccessible(page);
  await clickTwice(row.getByRole("button", { name: /^Withdraw/ }));
  await expect(toastTitled(page, "Request Withdrawn")).toBeVisible();
  await expect(row).not.toContainText("Raise");
  await row.getByRole("button", { name: `Remove the ${STAKE}` }).click();
  const dialog = page.getByRole("dialog", { name: `Remove the ${STAKE}?` });
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Keep the limit" }).click();
  await expect(dialog).toBeHidden();
  await row.getByRole("button", { name: `Remove the ${STAKE}` }).click();
  await dialog.getByRole("button", { name: "Ask to remove it" }).click();
  await expect(row).toContainText("Removal. You can confirm it from");
  await expect(row).toContainText("$10.00");
  await expect(changes(page).first()).toContainText("Removal of the stake limit a day requested");
});

test("a change that another tab has withdrawn is refused with the reason", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await setLimit(page, "stake/day", "10.00");
  await setLimit(page, "stake/day", "20.00");
  await openLimits(page);
  await expect(limitRow(page, STAKE)).toContainText("Raise to $20.00");
  await page.context().request.delete("/api/limits/stake/day/pending");
  await limitRow(page, STAKE)
    .getByRole("button", { name: /^Withdraw/ })
    .click();
  await expect(toastTitled(page, "Limit Not Changed")).toContainText("No change of this limit is waiting");
});

test("a session time limit takes whole minutes up to those of its period", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await openLimits(page);
  const row = limitRow(page, "session time limit a day");
  await row.getByRole("button", { name: /^Set/ }).click();
  const field = row.getByLabel("Session time limit a day (minutes)");
  for (const typed of ["0", "1.5", "1441", "an hour"]) {
    await field.fill(typed);
    await field.press("Enter");
    await expect(row.getByRole("alert")).toHaveText("Please enter a whole number of minutes from 1 to 1440");
  }
  await field.fill("90");
  await expect(row).toContainText("1 h 30 min. In force at once.");
  await field.press("Enter");
  await expect(row).toContainText("1 h 30 min left");
});

test("limits that cannot be loaded can be asked for again", async ({ page: quiet, context, administrator }) => {
  await signInAsPlayer(quiet, administrator);
  const page = await context.newPage();
  let isDown = true;
  await page.route("**/api/limits", (route) =>
    isDown
      ? route.fulfill({ status: 503, json: { code: "database_unavailable", message: "Not available." } })
      : route.continue(),
  );
  await page.goto("/settings?tab=limits");
  await expect(page.getByText("Your limits could not be loaded")).toBeVisible();
  isDown = false;
  await page.getByRole("button", { name: "Try Again" }).click();
  await expect(panel(page, "Limits")).toBeVisible();
});

test("a raise and a removal are confirmed a day later", async ({ browser }) => {
  const house = await OwnHouse.open();
  const context = await browser.newContext({ baseURL: house.url });
  const page = await context.newPage();
  await context.request.post("/api/register", { data: { username: newName(), password: PASSWORD } });
  await setLimit(page, "stake/day", "10.00");
  await setLimit(page, "stake/day", "20.00");
  await setLimit(page, "loss/week", "10.00");
  await setLimit(page, "loss/week", null);
  await house.change(
    "UPDATE player_limits SET pending_since_micros = pending_since_micros - 86400000000; UPDATE limit_changes SET at_micros = at_micros - 86400000000;",
  );
  await openLimits(page);
  const row = limitRow(page, STAKE);
  await expect(row).toContainText("Waits for you");
  await expectAccessible(page);
  await clickTwice(row.getByRole("button", { name: /^Confirm/ }));
  await expect(toastTitled(page, "Change Confirmed")).toBeVisible();
  await expect(row).toContainText("$20.00");
  await expect(row).not.toContainText("Raise");
  const loss = limitRow(page, "loss limit a week");
  await loss.getByRole("button", { name: /^Confirm/ }).click();
  await expect(loss).toContainText("No limit");
  await expect(changes(page).first()).toContainText("Loss limit a week removed (before: $10.00)");
  await context.close();
  await house.close(page);
});

test("an exclusion takes the password and a confirmation, and cannot be shortened", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await openLimits(page);
  const exclusion = panel(page, "Cool-off and self-exclusion");
  await exclusion.getByRole("combobox").selectOption("week");
  await expect(exclusion).toContainText("Until about");
  const button = exclusion.getByRole("button", { name: "Exclude me for a week" });
  await button.click();
  await expect(exclusion.getByRole("alert")).toHaveText("Please enter your password");
  await exclusion.getByLabel("Your password", { exact: true }).fill("not-mine");
  await button.click();
  const dialog = page.getByRole("dialog", { name: "Exclude yourself for a week?" });
  await expect(dialog).toContainText("Nobody can end or shorten this");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Go back" }).click();
  await expect(dialog).toBeHidden();
  await button.click();
  await dialog.getByRole("button", { name: "Exclude me for a week" }).click();
  await expect(exclusion.getByRole("alert")).toHaveText("Incorrect password. Please try again.");
  await exclusion.getByLabel("Your password", { exact: true }).fill(PASSWORD);
  await button.click();
  let sent = 0;
  page.on("request", (request) => void (request.method() === "POST" && (sent += 1)));
  await clickTwice(dialog.getByRole("button", { name: "Exclude me for a week" }));
  await expect(exclusion).toContainText("You are excluded until");
  expect(sent).toBe(1);
  await expect(exclusion.getByRole("option")).toHaveText([
    /a week/,
    /a month/,
    /six months/,
    /a year/,
    /five years/,
    /permanently/,
  ]);
  await expectAccessible(page);
  await page.reload();
  await exclusion.getByRole("combobox").selectOption("permanent");
  await exclusion.getByLabel("Your password", { exact: true }).fill(PASSWORD);
  await exclusion.getByRole("button", { name: "Exclude me permanently" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Exclude me permanently" }).click();
  await expect(exclusion).toContainText("You are excluded permanently");
  await expect(exclusion.getByRole("combobox")).toHaveCount(0);
  await expect(exclusion).toContainText("Cool-off: a week, requested");
});

test("the Responsible Gaming page is public, explains the tools and leads to help @both", async ({
  page,
  isMobile,
}) => {
  await page.goto("/");
  await page.getByRole("main").getByRole("link", { name: "Responsible Gaming" }).click();
  await expect(page).toHaveURL(/\/responsible-gaming$/);
  await expect(page).toHaveTitle("Responsible Gaming · Glasshouse");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Responsible Gaming");
  await expect(panel(page, "Your tools")).toContainText(
    "after 24 hours, and only if you then confirm it within seven days",
  );
  await expect(panel(page, "The odds").getByRole("row", { name: /^Dice/ })).toContainText("1.00%$1.00");
  const signs = panel(page, "Warning signs").getByRole("checkbox");
  for (const index of [0, 1, 2]) await signs.nth(index).click();
  await expect(panel(page, "Warning signs").getByRole("status")).toContainText("3 warning signs.");
  for (const name of ["GamCare", "BeGambleAware", "Gamblers Anonymous"]) {
    const link = panel(page, "Where to find help").getByRole("link", { name });
    await expect(link).toHaveAttribute("rel", /noopener/);
    await expect(link).toHaveAttribute("href", /^https:/);
  }
  await expectAccessible(page);
  if (isMobile) {
    await page.getByRole("button", { name: "Open menu" }).click();
    await expect(page.getByRole("dialog").getByRole("link", { name: "Responsible Gaming" })).toBeVisible();
  }
});
