import type { ErrorBody } from "@/api/error";
import { PASSWORD, clickTwice, expect, expectAccessible, newName, signInAsPlayer, test, toastTitled } from "./support";

test("a visitor plays the demonstration, signs up and signs in again @both", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByText("revealed after the roll")).toBeVisible();
  await page.getByRole("button", { name: "Roll", exact: true }).click();
  await expect(page.getByText("revealed after the roll")).toBeHidden();
  await expectAccessible(page);

  await page.getByRole("button", { name: "Create Account" }).first().click();
  const notice = page.getByRole("dialog", { name: "US User Notification" });
  await expect(notice).toBeVisible();
  await expectAccessible(page);
  await notice.getByRole("button", { name: "I understand, I am not based in the US" }).click();
  await expect(page.getByRole("heading", { name: "Create Account" })).toBeVisible();

  const username = newName();
  await page.getByRole("button", { name: "Create Account" }).click();
  await expect(page.getByText("Username must be at least 3 characters")).toBeVisible();
  await expect(page.getByText("Password must be at least 6 characters").first()).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Confirm password").fill(`${PASSWORD}x`);
  await page.getByRole("checkbox").click();
  await page.getByRole("button", { name: "Create Account" }).click();
  await expect(page.getByText("Passwords don't match")).toBeVisible();
  await page.getByRole("button", { name: "Show password" }).click();
  await expect(page.getByLabel("Confirm password")).toHaveAttribute("type", "text");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Show password" }).click();
  await expect(page.getByLabel("Password", { exact: true })).toHaveAttribute("type", "password");
  await page.getByLabel("Confirm password").fill(PASSWORD);
  await clickTwice(page.getByRole("button", { name: "Create Account" }));
  await expect(toastTitled(page, "Registration Successful")).toBeVisible();
  await expect(page).toHaveURL(/\/dashboard$/);

  await page.goto("/");
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.context().clearCookies();
  await page.goto("/auth");
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Password", { exact: true }).fill("wrong-guess");
  await page.getByRole("button", { name: "Login", exact: true }).last().click();
  await expect(toastTitled(page, "Login Failed")).toContainText("Invalid username or password");
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Password", { exact: true }).press("Enter");
  await expect(toastTitled(page, "Login Successful")).toContainText(`Welcome back, ${username}`);
});

test("a taken username is refused", async ({ page, administrator }) => {
  const username = await signInAsPlayer(page, administrator);
  await page.context().clearCookies();
  await page.goto("/auth?tab=register");
  await page.getByRole("button", { name: /I understand/ }).click();
  await page.getByLabel("Username").fill(username.toUpperCase());
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Confirm password").fill(PASSWORD);
  await page.getByRole("checkbox").click();
  await page.getByRole("button", { name: "Create Account" }).click();
  await expect(toastTitled(page, "Registration Failed")).toContainText("Username already exists");
});

test("a common password shows a warning, is refused and marked", async ({ page }) => {
  await page.goto("/auth?tab=register");
  await page.getByRole("button", { name: /I understand/ }).click();
  const password = page.getByLabel("Password", { exact: true });
  await expect(password).toHaveAccessibleDescription(
    "At least 6 characters. Common passwords, such as 123456, are refused.",
  );
  await page.getByLabel("Username").fill(newName());
  await password.fill("password");
  await page.getByLabel("Confirm password").fill("password");
  await page.getByRole("checkbox").click();
  await page.getByRole("button", { name: "Create Account" }).click();
  await expect(toastTitled(page, "Registration Failed")).toContainText(/common/);
  await expect(password).toHaveAttribute("aria-invalid", "true");
  await expect(password).toBeFocused();
  await expect(password).toHaveAccessibleDescription(/common/);
  await expectAccessible(page);
});

test("a banned account shows the reason", async ({ page }) => {
  // How the login answers a banned user.
  const answer = {
    reason: "Too many accounts",
    message: "Your account has been banned: Too many accounts",
    code: "account_banned",
  } satisfies ErrorBody;
  await page.route("**/api/login", (route) => route.fulfill({ status: 403, json: answer }));
  await page.goto("/auth");
  await page.getByLabel("Username").fill("somebody");
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Login", exact: true }).click();
  await expect(toastTitled(page, "Account Banned")).toContainText("Too many accounts");
});

test("the notice is shown once per browser session", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("button", { name: "Sign Up" }).click();
  await page.getByRole("button", { name: /I understand/ }).click();
  await page.goto("/");
  await page.getByRole("button", { name: "Sign Up" }).click();
  await expect(page).toHaveURL(/\/auth/);
});

test("protected screens lead to /auth, and unknown ones show Not Found", async ({ page }) => {
  for (const path of ["/dashboard", "/dice", "/history", "/settings", "/admin", "/coming-soon"]) {
    await page.goto(path);
    await expect(page).toHaveURL(/\/auth$/);
  }
  await page.goto("/no/such/page");
  await expect(page.getByRole("heading", { name: "404 Page Not Found" })).toBeVisible();
  await expectAccessible(page);
});

test("nothing scrolls horizontally at 360 pixels @phone", async ({ page, administrator }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  for (const path of ["/", "/auth", "/auth?tab=register"]) {
    await page.goto(path);
    if (path.endsWith("register")) await page.getByRole("button", { name: /I understand/ }).click();
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expectAccessible(page);
  }
  await signInAsPlayer(page, administrator, "123456.78");
  for (const path of ["/dashboard", "/dice", "/history", "/settings"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expectAccessible(page);
  }
});
