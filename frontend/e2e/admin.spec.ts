import type { Locator, Page } from "@playwright/test";
import type { ErrorBody } from "@/api/error";
import {
  BTC_ADDRESS,
  beginPayment,
  expect,
  openPanel,
  type Player,
  requestWithdrawal,
  rowOf,
  test,
  toastTitled,
} from "./admin-support";
import { ADMINISTRATOR } from "./administrator";
import { clickIfThere, expectAccessible, newName, PASSWORD } from "./support";

// Who may open the panel, what its seven tabs show, and how to navigate them.

test("other users are denied access", async ({ page }) => {
  await page.context().request.post("/api/register", { data: { username: newName(), password: PASSWORD } });
  await page.goto("/admin");
  await expect(page.getByRole("heading", { name: "Access Denied" })).toBeVisible();
  await expect(page.getByRole("alert")).toHaveText(
    "Access Denied - You do not have permission to access the admin panel. This area is restricted to administrators only.",
  );
  await expect(page.getByRole("tab")).toHaveCount(0);
  await expect(page.getByRole("banner").getByRole("link", { name: "Admin" })).toHaveCount(0);
  await expectAccessible(page);
  expect((await page.context().request.get("/api/admin/users")).status()).toBe(403);
});

/** Its name ends with how much waits there, if anything does. */
const tabNamed = (page: Page, name: string) => page.getByRole("tab", { name: new RegExp(`^${name}( \\d+ waiting)?$`) });
const columnsOf = (page: Page) => page.getByRole("columnheader");
type Content = (page: Page, player: Player, row: (table: string) => Locator) => Promise<void>;

/** What each tab shows for a player with one bet, one pending withdrawal and one payment in progress. */
const TABS: [name: string, value: string, narrowed: (player: Player, paymentId: string) => string, content: Content][] =
  [
    [
      "Dashboard",
      "dashboard",
      () => "",
      async (page) => {
        const overview = page.getByRole("region", { name: "The house at a glance" });
        for (const card of ["Users", "Total Games", "House P/L"])
          await expect(overview.getByText(card, { exact: true })).toBeVisible();
        for (const note of [/\d+ banned/, /\d+ wins?, \d+ loss/, /[+−]?\$[\d,]+\.\d\d/, /\d+ pending withdrawal/])
          await expect(overview.getByText(note).first()).toBeVisible();
        await expect(page.getByRole("region", { name: "Recent Users" }).getByRole("listitem")).toHaveCount(5);
        const games = page.getByRole("region", { name: "Game Distribution" }).getByRole("listitem");
        await expect(games).toHaveCount(5);
        for (const [position, game] of ["Dice", "Crash", "Stonks", "Poker", "Mines"].entries())
          await expect(games.nth(position)).toHaveText(new RegExp(`^${game}[\\d,]+ \\(\\d+\\.\\d%\\)$`));
        await page.getByRole("button", { name: "Show the figures" }).click();
        await expect(page.getByRole("table", { name: "Profit and loss by day" }).getByRole("row")).toHaveCount(31);
      },
    ],
    [
      "Users",
      "users",
      ({ username }) => username,
      async (page, player, row) => {
        await expect(columnsOf(page)).toHaveText(["ID", "Username", "Balance", "Created", "Status", "Actions"]);
        for (const text of [String(player.id), player.username, "just now", "Active", "Adjust Balance", "Ban"])
          await expect(row("Users")).toContainText(text);
      },
    ],
    [
      "Withdrawals",
      "withdrawals",
      ({ username }) => username,
      async (page, player, row) => {
        await expect(columnsOf(page)).toHaveText([
          "ID",
          "User",
          "Amount",
          "Currency",
          "Wallet Address",
          "Status",
          "Requested",
          "Actions",
        ]);
        for (const text of [player.username, "$20.00", "BTC", BTC_ADDRESS, "Pending", "Approve", "Reject"])
          await expect(row("Withdrawal requests")).toContainText(text);
      },
    ],
    [
      "Game History",
      "games",
      () => "",
      async (page, player) => {
        await page.getByRole("searchbox", { name: "User ID" }).fill(String(player.id));
        await expect(columnsOf(page)).toHaveText(["ID", "User ID", "Game", "Bet", "Outcome", "Win Amount", "Date"]);
        const row = rowOf(page, "Game history", player.username);
        await expect(row).toHaveCount(1);
        for (const text of [`#${player.id}`, "Dice", "$1.00"]) await expect(row).toContainText(text);
        const game = page.getByRole("combobox", { name: "Game" });
        // Mines is listed too if its own tests have already opened it.
        await expect(game.getByRole("option").filter({ hasNotText: "Mines" })).toHaveText([
          "All Games",
          "Dice",
          "Crash",
          "Stonks",
          "Poker",
        ]);
        await game.selectOption("Stonks");
        await expect(page.getByText("No game history found")).toBeVisible();
      },
    ],
    [
      "Deposits",
      "deposits",
      ({ username }) => username,
      async (page, player, row) => {
        await expect(columnsOf(page)).toHaveText(["ID", "User", "Amount", "Currency", "Order ID", "Status", "Date"]);
        for (const text of [player.username, "$25.00", "BTC", "gh-", "Pending"])
          await expect(row("Deposits")).toContainText(text);
      },
    ],
    [
      "Payment Status",
      "payments",
      (_player, paymentId) => paymentId,
      async (page, _player, row) => {
        await expect(page.getByRole("textbox", { name: "Payment ID" })).toBeVisible();
        await expect(page.getByRole("button", { name: "Check Status" })).toBeVisible();
        for (const text of ["$25.00", "waiting", "Not processed", "Check Now", "Confirm"])
          await expect(row("Active payments")).toContainText(text);
      },
    ],
    [
      "Admin Logs",
      "logs",
      ({ username }) => username,
      async (page, player, row) => {
        await expect(columnsOf(page)).toHaveText(["ID", "Admin ID", "Action", "Target User", "Details", "Date"]);
        for (const text of [
          ADMINISTRATOR.username,
          "Balance override",
          player.username,
          "0.00 → 100.00",
          "from 127.0.0.1",
        ])
          await expect(row("Admin logs")).toContainText(text);
      },
    ],
  ];
for (const [name, value, narrowed, content] of TABS) {
  test(`the ${name} tab shows its data, fits 360 pixels and survives a reload`, async ({ page, newPlayer }) => {
    const player = await newPlayer();
    // The dashboard lists the five newest users.
    const more = value === "dashboard" ? 4 : 0;
    for (let number = 0; number < more; number += 1) await newPlayer();
    await player.calls.post("/api/dice/play", { data: { betAmount: "1.00", targetNumber: 50, betType: "over" } });
    await requestWithdrawal(player, "20.00");
    const search = narrowed(player, (await beginPayment(player)).id);
    await openPanel(page);
    await tabNamed(page, name).click();
    await expect(page).toHaveURL(value === "dashboard" ? /\/admin/ : new RegExp(`tab=${value}`));
    if (search !== "") await page.getByRole("searchbox").fill(search);
    await content(page, player, (table) => rowOf(page, table, player.username));
    await expectAccessible(page);
    await page.reload();
    await expect(tabNamed(page, name)).toHaveAttribute("aria-selected", "true");
    await page.setViewportSize({ width: 360, height: 740 });
    await expect(page.getByRole("status").filter({ hasText: /^Loading/ })).toHaveCount(0);
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
    ).toBeLessThanOrEqual(0);
  });
}

test("a user link leads to exactly that user, and a round number to one round", async ({
  page,
  newPlayer,
  administrator,
}) => {
  const player = await newPlayer();
  await requestWithdrawal(player, "20.00");
  // Another user whose name contains the number.
  const register = await page.context().request.post("/api/register", {
    data: { username: `${player.id}-${newName().slice(0, 16)}`, password: PASSWORD },
  });
  expect(register.ok()).toBe(true);
  await player.calls.post("/api/dice/play", { data: { betAmount: "1.00", targetNumber: 50, betType: "over" } });
  await openPanel(page, `?tab=withdrawals&search=${player.username}`);
  await rowOf(page, "Withdrawal requests", player.username).getByRole("link", { name: player.username }).click();
  await expect(page).toHaveURL(new RegExp(`/admin/players/${player.id}$`));
  await expect(page.getByRole("heading", { name: player.username, exact: true })).toBeVisible();
  await expect(page.getByText(`Player #${player.id}`, { exact: true })).toBeVisible();

  const [round] = (await (await administrator.get(`/api/admin/game-history?userId=${player.id}`)).json()) as {
    id: number;
  }[];
  await page.goto(`/admin?tab=games&id=${round?.id}`);
  await expect(page.getByRole("searchbox", { name: "Round ID" })).toHaveValue(String(round?.id));
  await expect(page.getByText("Showing 1 game")).toBeVisible();
  await expect(rowOf(page, "Game history", player.username)).toContainText(String(round?.id));
});

test("the tabs work with the keyboard, and a closed dialog returns the focus", async ({ page, newPlayer }) => {
  const { username } = await newPlayer();
  await openPanel(page);
  await page.getByRole("tab", { name: "Dashboard" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("tab", { name: "Users" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/tab=users/);
  await page.getByRole("searchbox").fill(username);
  await expect(page.getByText("Showing 1 user")).toBeVisible();
  const opener = page.getByRole("button", { name: `Ban ${username}` });
  await opener.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "Ban User" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(opener).toBeFocused();
  await page.goBack();
  await expect(page.getByRole("tab", { name: "Dashboard" })).toHaveAttribute("aria-selected", "true");
});

test("a list loads further pages, and says when nothing is found", async ({ page, newPlayer }) => {
  const { calls } = await newPlayer("100.00");
  for (let bet = 0; bet < 52; bet += 1)
    await calls.post("/api/dice/play", { data: { betAmount: "0.10", targetNumber: 50, betType: "over" } });
  const { id } = (await (await calls.get("/api/user")).json()) as { id: number };
  await openPanel(page, `?tab=games&userId=${id}`);
  await expect(page.getByText("Showing the first 50 games")).toBeVisible();
  await page.getByRole("button", { name: "Load more" }).click();
  await expect(page.getByText("Showing all 52 games")).toBeVisible();
  await expect(page.getByRole("table", { name: "Game history" }).getByRole("row")).toHaveCount(53);
  for (const [tab, text] of [
    ["deposits", "No deposits found"],
    ["logs", "No admin logs found"],
    ["payments", "No active payments"],
    ["users", "No users found matching your filters"],
  ] as const) {
    await page.goto(`/admin?tab=${tab}&search=nothing-is-called-this`);
    await expect(page.getByText(text)).toBeVisible();
  }
  await page.getByRole("button", { name: "Clear Filters" }).click();
  await expect(page.getByRole("searchbox")).toHaveValue("");
  await expect(page.getByRole("table", { name: "Users" })).toBeVisible();
});

test("a list that fails to load says so and can be retried", async ({ page }) => {
  await page.route(
    "**/api/admin/logs*",
    (route) =>
      route.fulfill({ status: 404, json: { code: "not_found", message: "The logs are away" } satisfies ErrorBody }),
    { times: 1 },
  );
  await openPanel(page, "?tab=logs");
  await expect(page.getByText("Error loading logs")).toBeVisible();
  await expect(page.getByText("The logs are away")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Try Again" }).click();
  await expect(page.getByRole("table", { name: "Admin logs" })).toBeVisible();
});

test("a former administrator is denied access at the next request", async ({ page }) => {
  await openPanel(page, "?tab=users");
  await expect(page.getByRole("table", { name: "Users" })).toBeVisible();
  // Only the server's command line can revoke the role; this is how the endpoints answer afterwards.
  await page.route("**/api/admin/**", (route) =>
    route.fulfill({
      status: 403,
      json: { code: "forbidden", message: "Only administrators may do this" } satisfies ErrorBody,
    }),
  );
  await page.route("**/api/user", async (route) => {
    const answer = await route.fetch();
    return route.fulfill({ response: answer, json: { ...((await answer.json()) as object), isAdmin: false } });
  });
  // The panel's own look at what waits may come first, and removes the button.
  await clickIfThere(page.getByRole("button", { name: "Refresh users" }));
  await expect(page.getByRole("heading", { name: "Access Denied" })).toBeVisible();
});

test("the header links administrators to the panel @both", async ({ page, isMobile }) => {
  await openPanel(page);
  await page.goto("/dashboard");
  if (isMobile) {
    await page.getByRole("button", { name: "Open menu" }).click();
    await page.getByRole("dialog").getByRole("link", { name: "Admin Panel" }).click();
  } else {
    await page.getByRole("banner").getByRole("link", { name: "Admin", exact: true }).click();
  }
  await expect(page.getByRole("tab", { name: "Dashboard" })).toHaveAttribute("aria-selected", "true");
  await expect(toastTitled(page, "Error")).toHaveCount(0);
});
