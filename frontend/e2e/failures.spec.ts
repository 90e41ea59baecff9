import type { APIRequestContext, BrowserContext, Locator, Page } from "@playwright/test";
import { confirmAdministrator } from "./administrator";
import {
  clickIfThere,
  expect,
  expectAccessible,
  inBetOptions,
  newName,
  PASSWORD,
  signInAsPlayer,
  test,
  toastTitled,
} from "./support";

const HISTORY_CHUNK = "**/assets/routes-history-*.js";

// What happens when something is unavailable: a screen, its code, the network, the session.

/** A page that may log the console errors which the test provokes. */
const openQuietPage = (context: BrowserContext): Promise<Page> => context.newPage();
/** The dashboard of a new player, on a page that may log errors. */
async function openDashboard(quiet: Page, context: BrowserContext, administrator: APIRequestContext): Promise<Page> {
  await signInAsPlayer(quiet, administrator);
  const page = await openQuietPage(context);
  await page.goto("/dashboard");
  await expect(page.getByTestId("balance")).toBeVisible();
  return page;
}
const main = (page: Page) => page.getByTestId("main-action");
const open = (page: Page, path: string) => page.locator(`a[href="${path}"]`).locator("visible=true").first().click();

async function logIn(page: Page, username: string): Promise<void> {
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Password", { exact: true }).press("Enter");
}

test("a failing game leaves the other screens and the header intact and can be retried without a reload", async ({
  page: quiet,
  context,
  administrator,
}) => {
  await signInAsPlayer(quiet, administrator);
  const page = await openQuietPage(context);
  await page.route("**/api/crash-settings", async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...((await answer.json()) as object), minBet: "poison" } });
  });
  await page.goto("/dashboard");
  await page.getByRole("link", { name: "Play Now: Crash" }).click();
  await expect(page.getByText("Something went wrong")).toBeVisible();
  await expect(page.getByTestId("balance")).toHaveText("$100.00");
  await expectAccessible(page);
  await open(page, "/dashboard");
  await page.getByRole("link", { name: "Play Now: Dice" }).click();
  await expect(page.getByRole("button", { name: /^Roll for/ })).toBeVisible();
  await open(page, "/dashboard");
  await page.getByRole("link", { name: "Play Now: Crash" }).click();
  await expect(page.getByText("Something went wrong")).toBeVisible();
  await page.unroute("**/api/crash-settings");
  let loads = 0;
  page.on("load", () => (loads += 1));
  await page.getByRole("button", { name: "Try Again" }).click();
  await expect(main(page)).toHaveText(/^Place bet/);
  expect(loads).toBe(0);
});

test("a game goes on if the code of autobet or of a dialog cannot be loaded, and loads it again", async ({
  page: quiet,
  context,
  administrator,
}) => {
  await signInAsPlayer(quiet, administrator);
  const page = await openQuietPage(context);
  const [autobet, presetDialog] = ["**/assets/autobet-*.js", "**/assets/components-preset-dialog-*.js"];
  for (const code of [autobet, presetDialog]) await page.route(code, (route) => route.abort("connectionreset"));
  await page.goto("/dice");
  await page.getByRole("radio", { name: "Auto", exact: true }).click();
  await page.getByLabel("Bet amount").fill("2.50");
  await inBetOptions(page, async () => {
    await expect(page.getByText("Autobet could not be loaded")).toBeVisible();
    await expectAccessible(page);
    await page.unroute(autobet);
    await page.getByRole("button", { name: "Try Again" }).click();
    await page.getByRole("textbox", { name: "Number of rounds" }).fill("1");
    await page.getByRole("button", { name: "Change the quick amounts" }).click();
    await expect(toastTitled(page, "Error")).toContainText("Glasshouse cannot be reached.");
    await page.unroute(presetDialog);
    await page.getByRole("button", { name: "Change the quick amounts" }).click();
    await page.getByRole("dialog", { name: "Quick amounts" }).getByRole("button", { name: "Close" }).click();
  });
  await main(page).click();
  await expect(page.getByTestId("autobet-message")).toHaveText("Stopped: The round was played.");
  await expect(page.getByTestId("autobet-progress")).toContainText("$2.50");
});

test("a screen that fails to load is retried automatically", async ({ page: quiet, context, administrator }) => {
  const page = await openDashboard(quiet, context, administrator);
  await page.route(HISTORY_CHUNK, (route) => route.abort("connectionreset"));
  await open(page, "/history");
  await expect(page.getByText("This screen could not be loaded")).toBeVisible();
  await expect(page.getByTestId("balance")).toBeVisible();
  await expectAccessible(page);
  await page.unroute(HISTORY_CHUNK);
  await expect(page.getByRole("heading", { level: 1, name: "Game History" })).toBeVisible();
});

test("a screen is there again although the browser remembers that one of its files could not be loaded", async ({
  page: quiet,
  context,
  administrator,
}) => {
  const page = await openDashboard(quiet, context, administrator);
  // Files are fetched before they are imported, which only the latter remembers.
  let isLost = true;
  page.on("request", (request) => void (request.isNavigationRequest() && (isLost = false)));
  await page.route("**/assets/history-list-*.js", (route) =>
    isLost && route.request().resourceType() === "script" ? route.abort("connectionreset") : route.continue(),
  );
  const reloaded = page.waitForEvent("load");
  await open(page, "/history");
  await reloaded;
  await expect(page.getByRole("heading", { level: 1, name: "Game History" })).toBeVisible();
});

test("being offline is announced, and pending content loads when the network returns", async ({
  page: quiet,
  context,
  administrator,
}) => {
  await signInAsPlayer(quiet, administrator);
  const page = await openQuietPage(context);
  await page.goto("/dice");
  const roll = page.getByRole("button", { name: /^Roll for/ });
  await expect(roll).toBeEnabled();
  const banner = page.getByText("You are offline. What you see may be out of date");
  await expect(banner).toHaveCount(0);
  await context.setOffline(true);
  await expect(banner).toBeVisible();
  await expectAccessible(page);
  await roll.click();
  await expect(toastTitled(page, "Error")).toContainText("You appear to be offline");
  await open(page, "/history");
  await expect(page.getByText("This screen will load when you are back online.")).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole("heading", { level: 1, name: "Game History" })).toBeVisible();
  await expect(banner).toHaveCount(0);
});

test("a screen of an outdated version asks for a reload", async ({ page: quiet, context, administrator }) => {
  const page = await openDashboard(quiet, context, administrator);
  await page.route(HISTORY_CHUNK, (route) => route.fulfill({ status: 404 }));
  await page.route(new URL("/", page.url()).href, (route) =>
    route.fulfill({ contentType: "text/html", body: '<script type="module" src="/assets/index-newer.js"></script>' }),
  );
  await open(page, "/history");
  await expect(page.getByRole("heading", { name: "A new version is available" })).toBeVisible();
  await expect(page.getByTestId("balance")).toBeVisible();
  await page.unrouteAll();
  await page.getByRole("button", { name: "Reload" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Game History" })).toBeVisible();
});

test("a dialog that fails to load says so and can be opened later", async ({ page: quiet, context, administrator }) => {
  await signInAsPlayer(quiet, administrator);
  const page = await openQuietPage(context);
  // Its request is made by what opens dialogs, which is loaded when the browser is idle. If that were imported at the
  // moment in which the connection is lost, the browser would remember the failure until the page is loaded again.
  const opener = page.waitForResponse(/assets\/search-search-dialog-.*\.js$/);
  await page.goto("/coming-soon");
  await expect(page.getByTestId("balance")).toBeVisible();
  await opener;
  await context.setOffline(true);
  const deposit = page.getByRole("banner").getByRole("button", { name: "Deposit", exact: true });
  await deposit.click();
  await expect(toastTitled(page, "Error")).toContainText("You appear to be offline");
  await context.setOffline(false);
  await deposit.click();
  await expect(page.getByRole("dialog", { name: "Deposit", exact: true })).toBeVisible();
});

test("a failed invoice request shows the reason", async ({ page: quiet, context, administrator }) => {
  await signInAsPlayer(quiet, administrator);
  const page = await openQuietPage(context);
  await page.goto("/coming-soon");
  await page.getByRole("banner").getByRole("button", { name: "Deposit", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Deposit", exact: true });
  await dialog.getByLabel("Amount (USD)").fill("25");
  let sent = 0;
  page.on("request", (request) => void (request.url().endsWith("/api/deposits/create") && (sent += 1)));
  await context.setOffline(true);
  await dialog.getByRole("button", { name: "Create Invoice" }).click();
  await expect(page.locator("li").filter({ hasText: "You appear to be offline" })).toHaveCount(1);
  // Fewer retries than for a provider that is still working.
  expect(sent).toBe(3);
});

// Whichever request comes next gets a 401. That may happen before the control is used, and removes it.
const typeIfThere = (control: Locator, text: string) =>
  control.evaluateAll((controls: HTMLElement[], typed) => {
    controls.at(0)?.focus();
    document.execCommand("insertText", false, typed);
  }, text);

for (const [name, path, act] of [
  ["a game", "/crash?from=test#stage", (page: Page) => clickIfThere(main(page))],
  ["the history", "/history", (page: Page) => typeIfThere(page.getByRole("searchbox"), "dice")],
  ["the settings", "/settings?tab=privacy", (page: Page) => clickIfThere(page.getByRole("switch"))],
  ["the dashboard", "/dashboard/dice", (page: Page) => clickIfThere(page.getByRole("button", { name: /^Roll for/ }))],
] as const) {
  test(`an expired session is announced on the ${name} page, and signing in returns there`, async ({
    page,
    context,
    administrator,
  }) => {
    const username = await signInAsPlayer(page, administrator);
    await page
      .context()
      .request.post("/api/dice/play", { data: { betAmount: "1.00", targetNumber: 50, betType: "over" } });
    await page.goto(path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    const control = page
      .getByRole("searchbox")
      .or(page.getByRole("switch", { name: /^Show my name/ }))
      .or(page.getByRole("button", { name: /^(Place bet|Roll for)/ }));
    await expect(control).toBeEnabled();
    await context.clearCookies();
    await act(page);
    await expect(page.getByRole("heading", { name: "Session Lost" })).toBeVisible();
    await expect(toastTitled(page, "Session Lost")).toContainText(
      "You have been logged out or your session expired. Please log in again.",
    );
    await expectAccessible(page);
    // The link on the page and the one in the header lead to the same place.
    const link =
      path === "/history"
        ? page.getByRole("banner").getByRole("link", { name: "Login" })
        : page.getByRole("link", { name: "Go to Login" });
    await link.click();
    await logIn(page, username);
    await expect(page).toHaveURL(path);
    await expect(page.getByTestId("balance")).toBeVisible();
  });
}

async function ban(page: Page, administrator: APIRequestContext): Promise<void> {
  const { id } = (await (await page.context().request.get("/api/user")).json()) as { id: number };
  await confirmAdministrator(administrator);
  const answer = await administrator.post(`/api/admin/users/${id}/status`, {
    data: { status: "banned", banReason: "Several accounts" },
  });
  expect(answer.ok()).toBe(true);
}

test("a user banned while on a page sees the reason there and after a reload", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await page.goto("/dice");
  const roll = page.getByRole("button", { name: /^Roll for/ });
  await expect(roll).toBeEnabled();
  await ban(page, administrator);
  // The page may already know it from another call; then there is nothing to press any more.
  const banned = page.getByRole("heading", { name: "Account Banned" });
  await Promise.any([roll.click(), banned.waitFor()]);
  await expect(banned).toBeVisible();
  await expect(toastTitled(page, "Account Banned")).toContainText("Several accounts");
  await page.reload();
  await expect(page.getByRole("heading", { name: "Account Banned" })).toBeVisible();
  await expect(toastTitled(page, "Account Banned")).toContainText("Several accounts");
  await expectAccessible(page);
});

test("a banned user sees the reason also if another call is refused later", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await page.goto("/dice");
  const roll = page.getByRole("button", { name: /^Roll for/ });
  await expect(roll).toBeEnabled();
  const toast = toastTitled(page, "Account Banned");
  const refused = page.waitForResponse("**/api/dice/play");
  const seeds = page.getByRole("button", { name: "Provably fair" }).first();
  // The page learns of the ban before its bet is answered: from the live events, or from the call for the seeds.
  await page.route("**/api/dice/play", async (route) => {
    await ban(page, administrator);
    const answer = await route.fetch();
    await Promise.any([seeds.click(), toast.waitFor()]);
    await toast.waitFor();
    await route.fulfill({ response: answer });
  });
  await roll.click();
  await (await refused).finished();
  // The page has received it, too.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
  await expect(toast).toContainText("Several accounts");
});

test("signing in or up leads to the page that was requested before", async ({ page, administrator }) => {
  const username = await signInAsPlayer(page, administrator);
  const path = "/history?game=dice#statistics";
  await page.context().clearCookies();
  await page.goto(path);
  await expect(page).toHaveURL(/\/auth$/);
  await logIn(page, username);
  await expect(page).toHaveURL(path);

  await page.context().clearCookies();
  await page.goto("/poker");
  await expect(page).toHaveURL(/\/auth$/);
  await page.getByRole("tab", { name: "Register" }).click();
  await page.getByRole("button", { name: /I understand/ }).click();
  // Until then the other form is still there, with a field of the same label.
  await expect(page.getByLabel("Confirm password")).toBeVisible();
  await page.getByLabel("Username").fill(newName());
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Confirm password").fill(PASSWORD);
  await page.getByRole("checkbox").click();
  await page.getByRole("button", { name: "Create Account" }).click();
  await expect(page).toHaveURL("/poker");
});

test("a visitor's page has a clean console and does not request the user", async ({ page }) => {
  const errors: string[] = [];
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  const requests: string[] = [];
  page.on("request", (request) => request.url().includes("/api/user") && requests.push(request.url()));
  for (const path of ["/", "/auth"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  }
  expect([errors, requests]).toEqual([[], []]);
});

test("unknown paths get 404", async ({ page }) => {
  for (const [path, status] of [
    ["/no/such/page", 404],
    ["/dashboard/roulette", 404],
    ["/", 200],
    ["/auth?tab=register", 200],
    ["/dice", 200],
  ] as const) {
    expect((await page.goto(path))?.status(), path).toBe(status);
  }
  await page.goto("/no/such/page");
  await expect(page.getByRole("heading", { name: "404 Page Not Found" })).toBeVisible();
});
