import type { Page } from "@playwright/test";
import { expect, openPanel, requestWithdrawal, rowOf, tabNamed, test, toastTitled } from "./admin-support";
import { expectAccessible } from "./support";

// The panel's frame: its navigation, its search and keys, what waits, and decisions on several requests at once.

const TABS = [
  ["Dashboard", "dashboard"],
  ["Users", "users"],
  ["Withdrawals", "withdrawals"],
  ["Game History", "games"],
  ["Deposits", "deposits"],
  ["Payment Status", "payments"],
  ["Alerts", "alerts"],
  ["Figures", "figures"],
  ["Admin Logs", "logs"],
  ["Approvals", "approvals"],
] as const;
const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
/** A look at what waits is due within seconds. */
const SOON = { timeout: 30_000 };

test("the panel has a shell of its own, and every tab is accessible in it @both", async ({ page, isMobile }) => {
  await page.setViewportSize(isMobile ? { width: 390, height: 844 } : { width: 1440, height: 900 });
  await openPanel(page);
  for (const [name, value] of TABS) {
    await tabNamed(page, name).click();
    await expect(tabNamed(page, name)).toHaveAttribute("aria-selected", "true");
    await expect(page).toHaveURL(value === "dashboard" ? /\/admin$/ : new RegExp(`tab=${value}`));
    await expect(page.getByRole("status").filter({ hasText: /^Loading/ })).toHaveCount(0);
    await expectAccessible(page);
    expect(await overflow(page), name).toBeLessThanOrEqual(0);
  }
  await expect(page.getByRole("button", { name: "Deposit" })).toHaveCount(0);
  await expect(page.getByTestId("balance")).toHaveCount(0);
  for (const other of ["Games and account", "Main"])
    await expect(page.getByRole("navigation", { name: other })).toHaveCount(0);
  if (isMobile) {
    await page.getByRole("button", { name: "Open menu" }).click();
    await expectAccessible(page);
    await page.getByRole("dialog").getByRole("link", { name: "Back to the casino" }).click();
  } else await page.getByRole("banner").getByRole("link", { name: "Back to the casino" }).click();
  await expect(page).toHaveURL(/\/dashboard/);
  await expect(page.getByTestId("balance")).toBeVisible();
});

test("the search finds a user by ID or name, and a tab @both", async ({ page, newPlayer, isMobile }) => {
  const player = await newPlayer();
  await openPanel(page, "?tab=logs");
  if (isMobile) await page.getByRole("button", { name: "Search the panel" }).click();
  else await page.keyboard.press("/");
  const field = page.getByRole("combobox", { name: "Search the panel" });
  await field.fill(String(player.id));
  // The one with exactly that ID comes first.
  await expect(page.getByRole("option").first()).toContainText(`${player.username}#${player.id}`);
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/admin/players/${player.id}$`));
  await expect(page.getByRole("heading", { name: player.username, exact: true })).toBeVisible();
  await page.keyboard.press("Control+k");
  await field.fill("depo");
  await expect(page.getByRole("option", { name: "Deposits" })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/tab=deposits/);
});

test("keys go to tabs, move between rows and open decisions, but decide nothing", async ({ page, newPlayer }) => {
  const player = await newPlayer();
  await requestWithdrawal(player, "20.00");
  await openPanel(page);
  // The second key must come soon after the first, so not while the tab is loading.
  await expect(page.getByRole("heading", { name: "Recent Users" })).toBeVisible();
  await expect(page.locator(".skeleton")).toHaveCount(0);
  await page.keyboard.press("g");
  await page.keyboard.press("w");
  await expect(page).toHaveURL(/tab=withdrawals/);
  await page.getByRole("searchbox").fill(player.username);
  await expect(page.getByText("Showing 1 withdrawal request")).toBeVisible();
  // In a field they are text. The row stays the same one from when the last search is shown.
  await page.keyboard.type("ga");
  await expect(page).toHaveURL(new RegExp(`tab=withdrawals.*search=${player.username}ga`));
  await page.getByRole("searchbox").fill(player.username);
  await expect(page).toHaveURL(new RegExp(`search=${player.username}$`));
  await expect(page.getByText("Showing 1 withdrawal request")).toBeVisible();
  await page.getByRole("heading", { name: "Withdrawal Requests" }).click();
  await page.keyboard.press("j");
  const row = rowOf(page, "Withdrawal requests", player.username);
  await expect(row).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(row.getByRole("button", { name: /^Details of/ })).toHaveAttribute("aria-expanded", "true");
  for (const text of ["Fee", "$0.20", "Player so far", "UTC"])
    await expect(page.getByRole("table", { name: "Withdrawal requests" })).toContainText(text);
  await page.keyboard.press("a");
  await expect(page.getByRole("dialog", { name: "Approve Withdrawal" })).toBeVisible();
  // With the dialog open the keys do nothing.
  await page.keyboard.press("r");
  await expect(page.getByRole("dialog", { name: "Reject Withdrawal" })).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(row).toBeFocused();
  await page.keyboard.press("r");
  await expect(page.getByRole("dialog", { name: "Reject Withdrawal" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(row).toContainText("Pending");
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Hotkeys" })).toContainText("Go to Withdrawals");
  await expectAccessible(page);
});

test("a new request appears by itself, without taking the rows, the dialog or the focus away", async ({
  page,
  newPlayer,
}) => {
  const first = await newPlayer();
  const second = await newPlayer();
  await requestWithdrawal(first, "20.00");
  await openPanel(page, "?tab=withdrawals&search=e2e-");
  const row = rowOf(page, "Withdrawal requests", first.username);
  await expect(row).toHaveCount(1);
  // Somebody is about to reject the first one.
  await row.getByRole("button", { name: /^Reject/ }).click();
  const dialog = page.getByRole("dialog", { name: "Reject Withdrawal" });
  await dialog.getByLabel("Rejection Reason").fill("An exchange");
  const asked = page.waitForResponse("**/api/admin/pending-work", SOON);
  await requestWithdrawal(second, "25.00");
  await asked;
  await expect(page.getByText("New withdrawal request").first()).toBeAttached(SOON);
  await expect(dialog.getByLabel("Rejection Reason")).toHaveValue("An exchange");
  await expect(rowOf(page, "Withdrawal requests", second.username)).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await page.mouse.move(2, 2);
  await expect(rowOf(page, "Withdrawal requests", second.username)).toHaveCount(1, SOON);
  await expect(row).toHaveCount(1);
  await expect(tabNamed(page, "Withdrawals")).toHaveAccessibleName(/^Withdrawals \d+ waiting$/);
});

test("several requests are decided with one confirmation, although one is refused @both", async ({
  page,
  newPlayer,
  administrator,
}) => {
  const players = [await newPlayer(), await newPlayer(), await newPlayer()];
  const name = players[0]?.username ?? "";
  const ids: number[] = [];
  for (const player of players) ids.push(await requestWithdrawal(player, "20.00"));
  await openPanel(page, "?tab=withdrawals&sort=newest");
  for (const player of players)
    await page.getByRole("checkbox", { name: new RegExp(`^Select request \\d+ of ${player.username}$`) }).check();
  await expect(page.getByRole("region", { name: "Selected requests" })).toContainText("3 requests selected: $60.00");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Reject selected…" }).click();
  const dialog = page.getByRole("dialog", { name: "Reject 3 requests" });
  for (const player of players) await expect(dialog).toContainText(player.username);
  await dialog.getByRole("button", { name: "Reject 3 requests" }).click();
  await expect(dialog.getByLabel("Rejection Reason")).toHaveAttribute("aria-invalid", "true");
  await expect(dialog.getByLabel("Rejection Reason")).toHaveAccessibleDescription(/reason/i);
  await expectAccessible(page);
  // A colleague is faster with the one in the middle.
  const faster = await administrator.post(`/api/admin/withdraw-requests/${ids[1]}/process`, {
    data: { action: "reject", reason: "The other was first" },
  });
  expect(faster.ok()).toBe(true);
  await dialog.getByLabel("Rejection Reason").fill("Addresses of an exchange");
  await dialog.getByRole("button", { name: "Reject 3 requests" }).click();
  await expect(dialog).toContainText("3 of 3: 2 done, 1 refused");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(dialog).toHaveCount(0);
  const { status } = (
    (await (await administrator.get(`/api/admin/withdraw-requests?search=${name}`)).json()) as [{ status: string }]
  )[0];
  expect(status).toBe("rejected");
});

test("a filter is kept in the address and saved under a name, and the columns sort @both", async ({
  page,
  newPlayer,
  isMobile,
}) => {
  const player = await newPlayer();
  await openPanel(page, `?tab=users&search=${player.username}`);
  await expect(page.getByText("Showing 1 user")).toBeVisible();
  await page.getByRole("button", { name: "Filters", exact: true }).click();
  await page.getByLabel("Created from").fill("2020-01-01");
  await page.getByLabel("Created to").fill("2020-01-31");
  await expect(page.getByText("No users found matching your filters")).toBeVisible();
  await expect(page).toHaveURL(/from=2020-01-01&to=2020-01-31/);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Saved filters of users" }).click();
  await page.getByRole("menuitem", { name: "Save this filter…" }).click();
  const dialog = page.getByRole("dialog", { name: "Save Filter" });
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByRole("alert")).toHaveText("Please enter a name");
  await dialog.getByLabel("Name").fill("Of January");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Clear Filters" }).click();
  await expect(page.getByRole("searchbox")).toHaveValue("");
  await page.reload();
  await page.getByRole("button", { name: "Saved filters of users" }).click();
  await page.getByRole("menuitem", { name: "Of January" }).click();
  await expect(page.getByRole("searchbox")).toHaveValue(player.username);
  await expect(page).toHaveURL(/from=2020-01-01/);
  await page.getByRole("button", { name: "Clear Filters" }).click();
  if (isMobile) return;
  const balance = page.getByRole("columnheader", { name: "Balance" });
  await expect(balance).not.toHaveAttribute("aria-sort");
  await balance.getByRole("button").click();
  await expect(balance).toHaveAttribute("aria-sort", "descending");
  await expect(page).toHaveURL(/sort=balance/);
  await expect(page.getByRole("combobox", { name: "Order" })).toHaveValue("balance");
});

test("as many rows as before are there after a reload, each on few lines", async ({ page, newPlayer }) => {
  const { id, calls } = await newPlayer("100.00");
  for (let bet = 0; bet < 52; bet += 1)
    await calls.post("/api/dice/play", { data: { betAmount: "0.10", targetNumber: 50, betType: "over" } });
  await openPanel(page, `?tab=games&userId=${id}`);
  await page.getByRole("button", { name: "Load more" }).click();
  await expect(page.getByText("Showing all 52 games")).toBeVisible();
  await page.reload();
  await expect(page.getByText("Showing all 52 games")).toBeVisible();
  const heights = await page
    .getByRole("table", { name: "Game history" })
    .locator("[data-record]")
    .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
  expect(Math.max(...heights)).toBeLessThanOrEqual(72);
});

test("Escape closes the dialog before the toast behind it", async ({ page, newPlayer }) => {
  const player = await newPlayer();
  await openPanel(page, `?tab=users&search=${player.username}`);
  await page.getByRole("button", { name: `Ban ${player.username}` }).click();
  const dialog = page.getByRole("dialog", { name: "Ban User" });
  const buttons = dialog.getByRole("button");
  await expect(buttons.nth(-2)).toHaveText("Cancel");
  await dialog.getByRole("button", { name: `Ban ${player.username}` }).click();
  await expect(toastTitled(page, "Error")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(toastTitled(page, "Error")).toBeVisible();
});
