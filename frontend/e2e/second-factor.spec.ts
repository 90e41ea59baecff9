import type { Page } from "@playwright/test";
import { codeOf, type Enrolled, enrol } from "./authenticator";
import { OwnHouse } from "./own-house";
import { code, enterPassword, events, panel, simulateExpiry } from "./second-factor-support";
import { expect, expectAccessible, newName, PASSWORD, signInAsPlayer, test, toastTitled } from "./support";
import { BTC_ADDRESS, openDialog } from "./wallet-support";

/** A player with an authenticator, not signed in. */
async function protectedPlayer(page: Page): Promise<{ username: string } & Enrolled> {
  const username = newName();
  const calls = page.context().request;
  await calls.post("/api/register", { data: { username, password: PASSWORD } });
  const enrolled = await enrol(calls);
  await page.context().clearCookies();
  return { username, ...enrolled };
}

test("a player sets an authenticator up, saves the recovery codes and removes it again", async ({
  page,
  administrator,
}) => {
  await signInAsPlayer(page, administrator);
  await page.goto("/settings?tab=security");
  await expect(panel(page)).toContainText("All your other sessions end.");
  await expectAccessible(page);
  await panel(page).getByRole("button", { name: "Set up an authenticator" }).click();
  const dialog = page.getByRole("dialog", { name: "Set up an authenticator" });
  await expect(dialog.getByRole("img", { name: "QR code for your authenticator" })).toBeVisible();
  await expectAccessible(page);
  const secret = (await dialog.locator("code").innerText()).replaceAll(/\s/g, "");
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await expect(code(page)).toHaveAccessibleDescription(/Please enter the code/);
  await code(page).fill("000 000 0");
  await page.keyboard.press("Enter");
  await expect(code(page)).toHaveAccessibleDescription(/This code is wrong/);
  await code(page).fill(codeOf(secret));
  await page.keyboard.press("Enter");
  const codes = dialog.getByRole("list", { name: "Recovery codes" }).getByRole("listitem");
  await expect(codes).toHaveCount(10);
  await expectAccessible(page);
  const download = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Download" }).click();
  expect((await download).suggestedFilename()).toBe("glasshouse-recovery-codes.txt");
  await dialog.getByRole("button", { name: "I have saved them" }).click();
  await expect(dialog).toBeHidden();
  await expect(panel(page)).toContainText("10 of 10 left");
  await expect(events(page)).toContainText("An authenticator was set up");
  await expectAccessible(page);

  await panel(page).getByRole("button", { name: "New recovery codes" }).click();
  const renewed = page.getByRole("dialog", { name: "New recovery codes" });
  await expect(renewed.getByRole("listitem")).toHaveCount(10);
  await renewed.getByRole("button", { name: "I have saved them" }).click();
  await panel(page).getByRole("button", { name: "Remove" }).click();
  await page.getByRole("dialog", { name: "Remove the authenticator?" }).getByRole("button", { name: "Remove" }).click();
  await expect(toastTitled(page, "Authenticator Removed")).toBeVisible();
  await expect(panel(page).getByRole("button", { name: "Set up an authenticator" })).toBeVisible();
});

test("a sign-in asks for the second factor after the password", async ({ page }) => {
  const { username, secret, recoveryCodes } = await protectedPlayer(page);
  await enterPassword(page, username, "wrong-password");
  await expect(toastTitled(page, "Login Failed")).toBeVisible();
  await enterPassword(page, username);
  await expect(code(page)).toBeFocused();
  await expect(code(page)).toHaveAttribute("autocomplete", "one-time-code");
  await expect(code(page)).toHaveAttribute("inputmode", "numeric");
  await expectAccessible(page);
  // Back to the password, which is still there.
  await page.getByRole("button", { name: "Back" }).click();
  await expect(page.getByLabel("Username")).toHaveValue(username);
  await page.getByRole("button", { name: "Login" }).click();
  await code(page).fill("12345");
  await page.keyboard.press("Enter");
  await expect(code(page)).toHaveAccessibleDescription(/This code is wrong/);
  await expect(code(page)).toBeFocused();
  // An authenticator that is ahead: the present code has set it up.
  await code(page).fill(codeOf(secret, 1));
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/dashboard$/);

  await page.context().clearCookies();
  await enterPassword(page, username);
  await page.getByRole("button", { name: "Use a recovery code instead" }).click();
  const recovery = page.getByLabel("Recovery code", { exact: true });
  await expect(recovery).toBeFocused();
  await recovery.fill((recoveryCodes[0] ?? "").toUpperCase());
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.goto("/settings?tab=security");
  await expect(panel(page)).toContainText("9 of 10 left");
  await expect(events(page)).toContainText("A recovery code was used");
  await expect(events(page)).toContainText("refused because of a wrong code");
});

test("a withdrawal asks for the second factor", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator, "100.00");
  const { recoveryCodes } = await enrol(page.context().request);
  await simulateExpiry(page, "**/api/withdraw-requests");
  await page.goto("/dashboard");
  const dialog = await openDialog(page, "Withdraw");
  await dialog.getByLabel("Amount (USD)").fill("20");
  await dialog.getByLabel("Wallet address").fill("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4");
  await dialog.getByRole("button", { name: "Request Withdrawal" }).click();
  const confirmation = page.getByRole("dialog", { name: "Confirm your identity" });
  await expect(confirmation.getByLabel("Code")).toBeVisible();
  await expectAccessible(page);
  await confirmation.getByRole("button", { name: "Use a recovery code instead" }).click();
  await confirmation.getByLabel("Recovery code").fill(recoveryCodes[0] ?? "");
  await page.keyboard.press("Enter");
  await expect(toastTitled(page, "Withdrawal Requested")).toBeVisible();
});

test("changes of the address, the address book and the sessions ask for the second factor", async ({
  page,
  browser,
  administrator,
}) => {
  const username = await signInAsPlayer(page, administrator);
  const { recoveryCodes } = await enrol(page.context().request);
  const confirmation = page.getByRole("dialog", { name: "Confirm your identity" });
  async function confirm() {
    await confirmation.getByRole("button", { name: "Use a recovery code instead" }).click();
    await confirmation.getByLabel("Recovery code").fill(recoveryCodes.pop() ?? "");
    await page.keyboard.press("Enter");
    await expect(confirmation).toBeHidden();
  }
  await simulateExpiry(page, "**/api/account/email");
  await page.goto("/settings");
  await page.getByRole("button", { name: "Add address" }).click();
  await page.getByLabel("New e-mail address").fill(`${username}@example.com`);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Send link" }).click();
  // Who does not confirm changes nothing, and nothing that was entered is lost.
  await confirmation.getByRole("button", { name: "Cancel" }).click();
  await expect(confirmation).toBeHidden();
  await simulateExpiry(page, "**/api/account/email");
  await page.getByRole("button", { name: "Send link" }).click();
  await confirm();
  await expect(toastTitled(page, "Mail Sent")).toBeVisible();

  await simulateExpiry(page, "**/api/account/withdrawal-addresses");
  await page.goto("/settings?tab=security");
  await page.getByRole("button", { name: "Add address" }).click();
  const dialog = page.getByRole("dialog", { name: "Add an address" });
  await dialog.getByLabel("Wallet address").fill(BTC_ADDRESS);
  await dialog.getByLabel("Your password").fill(PASSWORD);
  await dialog.getByRole("button", { name: "Add address" }).click();
  await expect(confirmation).toBeVisible();
  await expectAccessible(page);
  await confirm();
  await expect(toastTitled(page, "Address Added")).toBeVisible();
  await expect(dialog).toBeHidden();

  const other = await browser.newContext();
  const data = { username, password: PASSWORD, secondFactor: recoveryCodes.pop() };
  expect((await other.request.post("/api/login", { data })).ok()).toBe(true);
  await simulateExpiry(page, "**/api/account/sessions");
  await page.reload();
  await page.getByRole("button", { name: "End all others" }).click();
  const question = page.getByRole("dialog", { name: "End all other sessions?" });
  await question.getByRole("button", { name: "End all others" }).click();
  await confirm();
  await expect(toastTitled(page, "Sessions Ended")).toBeVisible();
  expect((await other.request.get("/api/user")).status()).toBe(401);
  await other.close();
});

test("an administrator without a second factor sets one up before anything else", async ({ page }) => {
  const house = await OwnHouse.open();
  try {
    await page.goto(`${house.url}/auth`);
    await page.getByLabel("Username").fill("admin");
    await page.getByLabel("Password", { exact: true }).fill("c4reful-hands-of-a-keeper");
    await page.getByLabel("Password", { exact: true }).press("Enter");
    const heading = page.getByRole("heading", { level: 1 });
    for (const path of ["/admin", "/dice", "/settings?tab=security"]) {
      await expect(heading).toHaveText("Set Up a Second Factor");
      await page.goto(`${house.url}${path}`);
      await expect(page.getByRole("navigation")).toHaveCount(0);
    }
    await expectAccessible(page);
    await page.getByRole("button", { name: "Set up an authenticator" }).click();
    await expect(page.getByRole("img", { name: "QR code for your authenticator" })).toBeVisible();
    await expectAccessible(page);
    const secret = (await page.locator("code").innerText()).replaceAll(/\s/g, "");
    await code(page).fill(codeOf(secret));
    await page.keyboard.press("Enter");
    await expect(page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem")).toHaveCount(10);
    await expectAccessible(page);
    await page.getByRole("button", { name: "I have saved them" }).click();
    await expect(heading).not.toHaveText("Set Up a Second Factor");
    await page.goto(`${house.url}/admin`);
    await expect(page.getByRole("heading", { name: "Admin Panel" })).toBeVisible();
    await page.goto(`${house.url}/settings?tab=security`);
    await expect(panel(page).getByRole("button", { name: "Remove" })).toHaveCount(0);
  } finally {
    await house.close(page);
  }
});
