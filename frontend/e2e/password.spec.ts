import type { Page } from "@playwright/test";
import {
  canSignIn,
  elsewhere,
  events,
  fillPasswords,
  panel,
  sessions,
  submit,
  waitForEvents,
} from "./settings-support";
import { clickTwice, expect, expectAccessible, newName, PASSWORD, signInAsPlayer, test, toastTitled } from "./support";

const NEW_PASSWORD = "qu1et-harbour-9";

/** After how long a pause in typing the house is asked, and after which longer one the strength is announced. */
const ASKED_MS = 400;
const ANNOUNCED_MS = 1300;

const isOfStrength = (asked: { url(): string }) => asked.url().endsWith("/api/password-strength");

/** Opens the security settings, where time then passes only as the test says. */
async function openWithStoppedClock(page: Page): Promise<void> {
  await page.clock.install();
  await page.goto("/settings?tab=security");
  await expect(sessions(page)).toHaveCount(1);
  await page.clock.pauseAt(Date.now() + 60_000);
}

/** Answers as the house would for a password of this strength. */
async function answerStrength(page: Page, strengthOf: (password: string) => object): Promise<void> {
  await page.route("**/api/password-strength", async (route) => {
    const { password } = route.request().postDataJSON() as { password: string };
    await route.fulfill({
      json: {
        isAccepted: true,
        refusal: null,
        score: 3,
        guessesPowerOfTen: 9,
        warning: null,
        suggestions: [],
        ...strengthOf(password),
      },
    });
  });
}

test("a changed password ends the other sessions and keeps this one", async ({ page, browser, administrator }) => {
  const username = await signInAsPlayer(page, administrator);
  const other = await elsewhere(browser, username);
  await other.page.goto("/history");
  await expect(other.page.getByRole("heading", { level: 1 })).toHaveText("Game History");
  await page.goto("/settings?tab=security");
  await expect(sessions(page)).toHaveCount(2);
  await expect(page.getByLabel("Current password", { exact: true })).toHaveAttribute(
    "autocomplete",
    "current-password",
  );
  await expect(page.getByLabel("New password", { exact: true })).toHaveAttribute("autocomplete", "new-password");
  await fillPasswords(page, PASSWORD, NEW_PASSWORD);
  let sent = 0;
  page.on("request", (request) => void (request.url().endsWith("/api/account/password") && (sent += 1)));
  await clickTwice(submit(page));
  await expect(toastTitled(page, "Password Changed")).toContainText("All other sessions were ended.");
  expect(sent).toBe(1);
  await expect(page.getByLabel("Current password", { exact: true })).toHaveValue("");
  await expect(page.getByLabel("New password", { exact: true })).toHaveValue("");
  await expect(sessions(page)).toHaveCount(1);
  await expect(sessions(page)).toContainText("This device");
  await expect(events(page).first()).toContainText("The password was changed, and all other sessions were ended");
  await expectAccessible(page);

  // The other device is sent to the login, and needs the new password.
  await other.page.reload();
  await expect(other.page).toHaveURL(/\/auth$/);
  await other.page.getByLabel("Username").fill(username);
  await other.page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await other.page.getByLabel("Password", { exact: true }).press("Enter");
  await expect(toastTitled(other.page, "Login Failed")).toBeVisible();
  await other.page.getByLabel("Password", { exact: true }).fill(NEW_PASSWORD);
  await other.page.getByLabel("Password", { exact: true }).press("Enter");
  await expect(other.page).toHaveURL(/\/history$/);
  await other.close();

  // This one goes on, also after a reload.
  await page.reload();
  await expect(sessions(page)).toHaveCount(2);
});

test("a wrong current password is said at its field and signs nobody out", async ({ page, browser, administrator }) => {
  const username = await signInAsPlayer(page, administrator);
  await page.goto("/settings?tab=security");
  await fillPasswords(page, "not-my-password", NEW_PASSWORD);
  await submit(page).click();
  const current = page.getByLabel("Current password", { exact: true });
  await expect(page.getByText("Incorrect password. Please try again.")).toBeVisible();
  await expect(current).toHaveAttribute("aria-invalid", "true");
  await expect(current).toBeFocused();
  await expect(current).toHaveValue("");
  await expect(page.getByLabel("New password", { exact: true })).toHaveValue(NEW_PASSWORD);
  await expectAccessible(page);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Settings");
  await waitForEvents(page.context().request, 2);
  await page.reload();
  await expect(events(page).first()).toContainText("An action was refused because of a wrong password");
  expect(await canSignIn(browser, username, PASSWORD)).toBe(true);
});

test("an empty form, the same password and a common one are refused at their fields", async ({
  page,
  administrator,
}) => {
  await signInAsPlayer(page, administrator);
  await page.goto("/settings?tab=security");
  await submit(page).click();
  await expect(page.getByText("Please enter your current password")).toBeVisible();
  await expect(page.getByText("Password must be at least 6 characters")).toBeVisible();
  await expectAccessible(page);
  for (const [password, refusal] of [
    [PASSWORD, "The new password is the same as the current one. Please choose another."],
    ["password1", "This password is among the most common ones. Please choose another."],
  ] as const) {
    await fillPasswords(page, PASSWORD, password);
    await submit(page).click();
    await expect(page.getByRole("alert").filter({ hasText: refusal })).toBeVisible();
    await expect(page.getByLabel("New password", { exact: true })).toBeFocused();
  }
});

test("a refusal for too many attempts and a lost connection are shown, and keep what was typed", async ({
  page: quiet,
  context,
  administrator,
}) => {
  await signInAsPlayer(quiet, administrator);
  const page = await context.newPage();
  await page.goto("/settings?tab=security");
  await page.route("**/api/account/password", (route) =>
    route.fulfill({
      status: 429,
      json: { code: "rate_limited", message: "Too many requests. Please try again in 7 s." },
    }),
  );
  await fillPasswords(page, PASSWORD, NEW_PASSWORD);
  await submit(page).click();
  await expect(toastTitled(page, "Password Not Changed")).toContainText("Please try again in 7 s.");
  await page.unroute("**/api/account/password");
  await page.route("**/api/account/password", (route) => route.abort("connectionreset"));
  await submit(page).click();
  await expect(toastTitled(page, "Password Not Changed")).toContainText("Glasshouse cannot be reached.");
  await page.unroute("**/api/account/password");
  await expect(page.getByLabel("Current password", { exact: true })).toHaveValue(PASSWORD);
  await submit(page).click();
  await expect(toastTitled(page, "Password Changed")).toBeVisible();
});

test("each password can be shown on its own", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await page.goto("/settings?tab=security");
  const current = page.getByLabel("Current password", { exact: true });
  const next = page.getByLabel("New password", { exact: true });
  await page.getByRole("button", { name: "Show new password" }).click();
  await expect(next).toHaveAttribute("type", "text");
  await expect(current).toHaveAttribute("type", "password");
  await page.getByRole("button", { name: "Show current password" }).click();
  await expect(current).toHaveAttribute("type", "text");
});

test("the strength of a new password is shown while it is typed, and announced once typing has paused", async ({
  page,
  administrator,
}) => {
  await signInAsPlayer(page, administrator);
  const asked: string[] = [];
  await answerStrength(page, (password) => {
    asked.push(password);
    if (password.length < 6)
      return {
        isAccepted: false,
        score: 0,
        refusal: { code: "invalid_password", message: "Password must be at least 6 characters" },
      };
    return password.length < 10 ? { score: 2, suggestions: ["Add another word or two."] } : { score: 4 };
  });
  await openWithStoppedClock(page);
  const field = page.getByLabel("New password", { exact: true });
  const meter = page.getByTestId("password-meter");
  const announced = panel(page, "Password").getByRole("status");
  await expect(meter).toHaveAttribute("data-filled", "0");
  await field.pressSequentially("abc");
  await page.clock.runFor(ASKED_MS);
  await expect(field).toHaveAccessibleDescription("Not accepted. Password must be at least 6 characters");
  await expect(meter).toHaveAttribute("data-filled", "1");
  await field.pressSequentially("defg");
  await page.clock.runFor(ASKED_MS);
  await expect(field).toHaveAccessibleDescription("Fair. Add another word or two.");
  await expect(meter).toHaveAttribute("data-filled", "2");
  await expect(announced).toHaveText("");
  await page.clock.runFor(ANNOUNCED_MS);
  await expect(announced).toHaveText("Password strength: Fair. Add another word or two.");
  await field.pressSequentially("-hijklmn");
  await page.clock.runFor(ASKED_MS);
  await expect(field).toHaveAccessibleDescription("Strong");
  await expect(meter).toHaveAttribute("data-filled", "4");
  await page.clock.runFor(ANNOUNCED_MS);
  await expect(announced).toHaveText("Password strength: Strong.");
  // Once for each pause, and not for every letter.
  expect(asked).toEqual(["abc", "abcdefg", "abcdefg-hijklmn"]);
  // The check of accessibility needs time to pass.
  await page.clock.resume();
  await field.fill("abc");
  await expect(meter).toHaveAttribute("data-filled", "1");
  await expectAccessible(page);
  await field.fill("");
  await expect(meter).toHaveAttribute("data-filled", "0");
  await expect(field).toHaveAccessibleDescription("At least 6 characters, and none that are easy to guess.");
});

test("nothing is said of the strength if the server does not answer", async ({
  page: quiet,
  context,
  administrator,
}) => {
  await signInAsPlayer(quiet, administrator);
  const page = await context.newPage();
  let asked = 0;
  await page.route("**/api/password-strength", (route) => {
    asked += 1;
    return asked === 1
      ? route.fulfill({ status: 429, json: { code: "rate_limited", message: "Too many requests." } })
      : route.abort("connectionreset");
  });
  await openWithStoppedClock(page);
  const field = page.getByLabel("New password", { exact: true });
  await field.fill("abcd");
  const refused = page.waitForResponse(isOfStrength);
  await page.clock.runFor(ASKED_MS);
  await (await refused).finished();
  await field.fill("abcdabcd");
  const lost = page.waitForEvent("requestfailed", isOfStrength);
  await page.clock.runFor(ASKED_MS);
  await lost;
  expect(asked).toBe(2);
  await page.clock.runFor(ANNOUNCED_MS);
  await expect(field).toHaveAccessibleDescription("At least 6 characters, and none that are easy to guess.");
  await expect(page.getByTestId("password-meter")).toHaveAttribute("data-filled", "0");
  await expect(page.getByRole("button", { name: "Dismiss" })).toHaveCount(0);
});

test("the house says why it would refuse a password, before it is chosen", async ({ page }) => {
  await page.goto("/auth");
  await page.getByRole("tab", { name: "Register" }).click();
  await page.getByRole("button", { name: /I understand/ }).click();
  await page.getByLabel("Username").fill(newName());
  const field = page.getByLabel("Password", { exact: true });
  for (const [password, description] of [
    ["password1", "Not accepted. This password is among the most common ones. Please choose another."],
    [
      "bmvm3e46gtr",
      "Not accepted. This password appeared in a data breach, so attackers try it. Please choose another.",
    ],
    ["c4reful-hands-of-a-keeper", "Strong"],
  ] as const) {
    await field.fill(password);
    await expect(field).toHaveAccessibleDescription(description);
  }
  await page.getByLabel("Confirm password").fill("bmvm3e46gtr");
  await field.fill("bmvm3e46gtr");
  await page.getByRole("checkbox").click();
  await page.getByRole("button", { name: "Create Account" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "This password appeared in a data breach" })).toBeVisible();
  await expect(field).toBeFocused();
});

test("a new player sees the strength, which knows the username", async ({ page }) => {
  const bodies: unknown[] = [];
  await page.route("**/api/password-strength", async (route) => {
    bodies.push(route.request().postDataJSON());
    await route.fulfill({
      json: {
        isAccepted: false,
        refusal: {
          code: "password_breached",
          message: "This password appeared in a data breach, so attackers try it. Please choose another.",
        },
        score: 1,
        guessesPowerOfTen: 8,
        warning: null,
        suggestions: [],
      },
    });
  });
  await page.goto("/auth");
  await page.getByRole("tab", { name: "Register" }).click();
  await page.getByRole("button", { name: /I understand/ }).click();
  const username = newName();
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Password", { exact: true }).fill("bmvm3e46gtr");
  await expect(page.getByText("This password appeared in a data breach")).toBeVisible();
  expect(bodies).toEqual([{ password: "bmvm3e46gtr", username }]);
  await expectAccessible(page);
});

test("a session that is ended elsewhere leads to the login with the usual message", async ({
  page,
  browser,
  administrator,
}) => {
  const username = await signInAsPlayer(page, administrator);
  const other = await elsewhere(browser, username);
  await page.goto("/settings?tab=security");
  await expect(sessions(page)).toHaveCount(2);
  await fillPasswords(page, PASSWORD, NEW_PASSWORD);
  expect((await other.context.request.delete("/api/account/sessions")).status()).toBe(204);
  // Not a click: a part of the page that loads just now can find out first, and then the button is gone.
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Session Lost");
  await expect(toastTitled(page, "Session Lost")).toContainText("Please log in again.");
  await other.close();
});
