import type { Page } from "@playwright/test";
import { canSignIn, elsewhere, events, panel, sessions, waitForEvents } from "./settings-support";
import { signInAsAdministrator } from "./administrator";
import {
  clickTwice,
  expect,
  expectAccessible,
  newName,
  PASSWORD,
  setBalance,
  signInAsPlayer,
  test,
  toastTitled,
} from "./support";

const TABS = ["profile", "security", "limits", "privacy", "display", "sound"] as const;

const sections = (page: Page) => page.getByRole("navigation", { name: "Settings" });

/** An event of which little is known. */
const event = (id: number) => ({
  id,
  kind: "sign_in_failed",
  device: null,
  address: null,
  isNewDevice: false,
  createdAt: "2026-11-20T10:00:00Z",
});

test("every section has an address, is kept on reload, and is accessible", async ({ page, administrator }) => {
  const username = await signInAsPlayer(page, administrator);
  await page.goto("/settings");
  await expect(page.getByRole("heading", { level: 1, name: "Settings" })).toBeVisible();
  await expect(panel(page, "Profile")).toContainText(username);
  for (const tab of TABS) {
    const name = `${tab.charAt(0).toUpperCase()}${tab.slice(1)}`;
    await sections(page).getByRole("link", { name }).click();
    await expect(page).toHaveURL(tab === "profile" ? /\/settings$/ : new RegExp(`/settings\\?tab=${tab}$`));
    await page.reload();
    await expect(sections(page).locator('[aria-current="page"]')).toHaveText(name);
    await expect(page.getByRole("main").getByRole("heading", { level: 2 }).first()).toBeVisible();
    if (tab === "security") await expect(events(page).first()).toBeVisible();
    await expectAccessible(page);
  }
  await page.goBack();
  await expect(panel(page, "Display")).toBeVisible();
  await page.goto("/settings?tab=nonsense");
  await expect(panel(page, "Profile")).toBeVisible();
});

test("no section scrolls sideways on a narrow phone @phone", async ({ page, administrator }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await signInAsPlayer(page, administrator);
  for (const tab of TABS) {
    await page.goto(`/settings?tab=${tab}`);
    await expect(page.getByRole("main").getByRole("heading", { level: 2 }).first()).toBeVisible();
    if (tab === "security") await expect(events(page).first()).toBeVisible();
    await expect(sections(page).locator('[aria-current="page"]')).toBeInViewport({ ratio: 1 });
    await expectAccessible(page);
  }
});

test("the user menu and the search lead to the settings @both", async ({ page, administrator, isMobile }) => {
  const username = await signInAsPlayer(page, administrator);
  await page.goto("/dashboard");
  if (isMobile) {
    await page.getByRole("button", { name: "Open menu" }).click();
    await page.getByRole("dialog").getByRole("link", { name: "Settings" }).click();
  } else {
    await page.getByRole("banner").getByRole("button", { name: username }).click();
    await page.getByRole("menuitem", { name: "Settings" }).click();
  }
  await expect(page).toHaveURL(/\/settings$/);
  await page.goto("/dashboard");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog", { name: "Search" }).getByRole("combobox").fill("password");
  await page.getByRole("option", { name: "Settings" }).click();
  await expect(page).toHaveURL(/\/settings$/);
});

test("sessions are ended one by one", async ({ page, browser, administrator }) => {
  const username = await signInAsPlayer(page, administrator);
  const others = [await elsewhere(browser, username), await elsewhere(browser, username)];
  await page.goto("/settings?tab=security");
  await expect(sessions(page)).toHaveCount(3);
  await expect(sessions(page).filter({ hasText: "This device" })).toHaveCount(1);
  await expect(sessions(page).filter({ hasText: "This device" }).getByRole("button")).toHaveCount(0);
  let sent = 0;
  page.on("request", (request) => void (request.method() === "DELETE" && (sent += 1)));
  const end = panel(page, "Sessions").getByRole("button", { name: /^End the session/ });
  await clickTwice(end.first());
  await expect(toastTitled(page, "Session Ended")).toBeVisible();
  await expect(sessions(page)).toHaveCount(2);
  expect(sent).toBe(1);
  await expect(panel(page, "Sessions").getByRole("list")).toBeFocused();
  await expect(events(page).first()).toContainText("Another session was ended");
  const states = async () => {
    const answers = await Promise.all(others.map(({ context }) => context.request.get("/api/user")));
    return answers.map((answer) => answer.status()).toSorted();
  };
  await expect.poll(states).toEqual([200, 401]);
  await end.first().click();
  await expect(sessions(page)).toHaveCount(1);
  await expect.poll(states).toEqual([401, 401]);
  await expect(page.getByRole("button", { name: "End all others" })).toHaveCount(0);
  for (const other of others) await other.close();
});

test("a session that has already ended elsewhere just leaves the list", async ({ page, browser, administrator }) => {
  const username = await signInAsPlayer(page, administrator);
  const other = await elsewhere(browser, username);
  await page.goto("/settings?tab=security");
  await expect(sessions(page)).toHaveCount(2);
  await other.context.request.post("/api/logout");
  await page.getByRole("button", { name: /^End the session/ }).click();
  await expect(sessions(page)).toHaveCount(1);
  await expect(toastTitled(page, "Session Ended")).toBeVisible();
  await other.close();
});

test("all other sessions are ended together, after a question", async ({ page, browser, administrator }) => {
  const username = await signInAsPlayer(page, administrator);
  const others = [await elsewhere(browser, username), await elsewhere(browser, username)];
  await others[0]?.page.goto("/statistics");
  await expect(others[0]?.page.getByRole("heading", { level: 1 }) ?? page.locator("none")).toHaveText("Statistics");
  await page.goto("/settings?tab=security");
  await expect(sessions(page)).toHaveCount(3);
  const endAll = panel(page, "Sessions").getByRole("button", { name: "End all others" });
  const dialog = page.getByRole("dialog", { name: "End all other sessions?" });
  await endAll.click();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toBeHidden();
  await expect(sessions(page)).toHaveCount(3);
  await endAll.click();
  await dialog.getByRole("button", { name: "End all others" }).click();
  await expect(toastTitled(page, "Sessions Ended")).toBeVisible();
  await expect(sessions(page)).toHaveCount(1);
  await expect(endAll).toHaveCount(0);
  await expect(panel(page, "Sessions").getByRole("list")).toBeFocused();
  await expect(events(page).first()).toContainText("All other sessions were ended");
  // A page that was open there says so with its next call, and signing in returns to it.
  const lost = others[0]?.page;
  if (!lost) throw new Error("there is no other session");
  await lost.getByRole("main").getByRole("link", { name: "Game History" }).click();
  await expect(lost.getByRole("heading", { level: 1 })).toHaveText("Session Lost");
  await lost.getByRole("main").getByRole("link", { name: "Go to Login" }).click();
  await expect(lost).toHaveURL(/\/auth$/);
  for (const other of others) await other.close();
});

test("security events say what happened, also refused sign-ins and new devices", async ({
  page,
  browser,
  administrator,
}) => {
  const username = await signInAsPlayer(page, administrator);
  expect(await canSignIn(browser, username, "wrong-password")).toBe(false);
  await waitForEvents(page.context().request, 2);
  const other = await elsewhere(browser, username);
  await other.context.request.post("/api/logout");
  await other.close();
  await page.goto("/settings?tab=security");
  await expect(events(page)).toHaveCount(4);
  await expect(events(page).nth(0)).toContainText("Signed out");
  await expect(events(page).nth(1)).toContainText("Signed in");
  await expect(events(page).nth(1)).toContainText("New device");
  await expect(events(page).nth(2)).toContainText("A sign-in was refused because of a wrong password");
  await expect(events(page).nth(3)).toContainText("Signed in");
  await expect(events(page).nth(0)).toContainText("127.0.0.1");
  await expectAccessible(page);
});

test("older security events are loaded by a button, and a failure can be retried", async ({
  page: quiet,
  context,
  administrator,
}) => {
  await signInAsPlayer(quiet, administrator);
  const page = await context.newPage();
  let isDown = true;
  await page.route("**/api/account/s*", async (route) => {
    const { pathname, searchParams } = new URL(route.request().url());
    if (isDown) {
      await route.fulfill({ status: 503, json: { code: "database_unavailable", message: "Not available." } });
    } else if (pathname.endsWith("/sessions")) {
      await route.continue();
    } else if (searchParams.get("cursor") === null) {
      const first = Array.from({ length: 20 }, (_, index) => event(100 - index));
      await route.fulfill({ json: first, headers: { "Next-Cursor": "81" } });
    } else {
      await route.fulfill({ json: [event(80)] });
    }
  });
  await page.goto("/settings?tab=security");
  await expect(page.getByText("Your sessions could not be loaded")).toBeVisible();
  await expect(page.getByText("The security events could not be loaded")).toBeVisible();
  await expectAccessible(page);
  isDown = false;
  for (const name of ["Sessions", "Security events"])
    await panel(page, name).getByRole("button", { name: "Try Again" }).click();
  await expect(sessions(page)).toHaveCount(1);
  await expect(events(page)).toHaveCount(20);
  await expect(events(page).first()).toContainText("Unknown device, unknown address");
  await page.getByRole("button", { name: "Load more security events" }).click();
  await expect(events(page)).toHaveCount(21);
  await expect(page.getByRole("button", { name: "Load more security events" })).toHaveCount(0);
});

test("the name is shown or hidden in the settings", async ({ page, administrator }) => {
  const username = await signInAsPlayer(page, administrator);
  await page.goto("/settings?tab=privacy");
  const own = page.getByRole("switch", { name: "Show my name in All bets and High wins" });
  await expect(own).not.toBeChecked();
  // The switch changes before the server has answered.
  const saved = page.waitForResponse("**/api/user/name-visibility");
  await own.click();
  await expect(page.getByText(`Everybody sees ${username} next to your bets`)).toBeVisible();
  await saved;
  await page.reload();
  await expect(own).toBeChecked();
  await page.getByRole("main").getByRole("link", { name: "Downloads in Statistics" }).click();
  await expect(page.getByRole("heading", { name: "Download as CSV" })).toBeVisible();
});

test("what this browser remembers is changed in the settings and holds in the games", async ({
  page,
  administrator,
}) => {
  await signInAsPlayer(page, administrator);
  await page.goto("/settings?tab=display");
  await page.getByRole("switch", { name: "Turbo" }).click();
  await page.getByRole("radio", { name: "Reduced" }).click();
  await page.getByRole("switch", { name: "Single-key hotkeys" }).click();
  await page.getByRole("button", { name: "Change the quick amounts" }).click();
  const dialog = page.getByRole("dialog", { name: "Quick amounts" });
  await dialog.getByLabel("First amount").fill("2.50");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("$2.50 · $5.00 · $25.00 · $100.00")).toBeVisible();
  await page.goto("/settings?tab=sound");
  await page.getByRole("switch", { name: "Sound" }).click();
  await page.reload();
  await expect(page.getByRole("switch", { name: "Sound" })).toBeChecked();
  await page.goto("/settings?tab=display");
  await expect(page.getByRole("switch", { name: "Turbo" })).toBeChecked();
  await expect(page.getByRole("radio", { name: "Reduced" })).toBeChecked();
  await expect(page.getByRole("switch", { name: "Single-key hotkeys" })).not.toBeChecked();
  const duration = () =>
    page
      .getByRole("switch", { name: "Turbo" })
      .locator("span")
      .first()
      .evaluate((part) => getComputedStyle(part).transitionDuration);
  expect(await duration()).toBe("0.001s");
  await page.getByRole("radio", { name: "System" }).click();
  expect(await duration()).toBe("0.12s");
  await page.goto("/dice");
  await expect(page.getByRole("button", { name: "Sound, 60%" })).toBeVisible();
});

test("an administrator sees a user's security events", async ({ page, browser, administrator }) => {
  const context = await browser.newContext();
  const username = newName();
  const answer = await context.request.post("/api/register", { data: { username, password: PASSWORD } });
  const { id } = (await answer.json()) as { id: number };
  await setBalance(administrator, id, "1.00");
  expect(await canSignIn(browser, username, "wrong-password")).toBe(false);
  await waitForEvents(context.request, 2);
  await context.close();
  await signInAsAdministrator(page.context());
  await page.goto(`/admin?tab=users&search=${encodeURIComponent(`#${id}`)}`);
  const menu = page.getByRole("button", { name: `More actions for ${username}` });
  await menu.click();
  await page.getByRole("menuitem", { name: "Security" }).click();
  const dialog = page.getByRole("dialog", { name: `Security events of ${username}` });
  await expect(dialog.getByRole("listitem")).toHaveCount(2);
  await expect(dialog.getByRole("listitem").first()).toContainText("A sign-in was refused because of a wrong password");
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(menu).toBeFocused();
});
