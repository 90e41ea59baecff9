import type { APIRequestContext, Locator, Page } from "@playwright/test";
import { BASE_URL } from "./administrator";
import { OwnHouse } from "./own-house";
import { PasskeyDevice } from "./passkey-device";
import { code, enterPassword, events, panel, simulateExpiry } from "./second-factor-support";
import { clickTwice, expect, expectAccessible, PASSWORD, signInAsPlayer, test, toastTitled } from "./support";
import { BTC_ADDRESS } from "./wallet-support";

/** Browsers have passkeys at names only. */
const atName = (url: string): string => url.replace("//127.0.0.1", "//localhost");
test.use({ baseURL: atName(BASE_URL) });

const passkeys = (page: Page) => page.getByRole("list", { name: "Passkeys" }).getByRole("listitem");
const signInButton = (page: Page) => page.getByRole("button", { name: "Sign in with a passkey" });
const NOT_USED = "No passkey was used. You can try again.";

/** Adds a passkey where its form is, and returns the recovery codes that come with it. */
async function addFirst(place: Page | Locator, name: string): Promise<string[]> {
  await place.getByLabel("Name", { exact: true }).fill(name);
  await place.getByRole("button", { name: "Add passkey" }).click();
  const codes = place.getByRole("list", { name: "Recovery codes" }).getByRole("listitem");
  await expect(codes).toHaveCount(10);
  const texts = await codes.allInnerTexts();
  await place.getByRole("button", { name: "I have saved them" }).click();
  return texts;
}

/** Signs the page in as a player with a passkey on the device. */
async function playerWithPasskey(page: Page, administrator: APIRequestContext) {
  const device = await PasskeyDevice.of(page);
  const username = await signInAsPlayer(page, administrator);
  await page.goto("/settings?tab=security");
  await panel(page).getByRole("button", { name: "Add a passkey" }).click();
  const recoveryCodes = await addFirst(page.getByRole("dialog"), "Kitchen laptop");
  await expect(passkeys(page)).toHaveCount(1);
  return { device, username, recoveryCodes };
}

test("a player adds a passkey, saves the recovery codes and signs in with the passkey alone", async ({
  page,
  administrator,
}) => {
  const device = await PasskeyDevice.of(page);
  const username = await signInAsPlayer(page, administrator);
  await page.goto("/settings?tab=security");
  await panel(page).getByRole("button", { name: "Add a passkey" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a passkey" });
  const name = dialog.getByLabel("Name", { exact: true });
  await expect(name).toHaveValue(/^Chrome on (Windows|Android)$/);
  await expectAccessible(page);
  const add = dialog.getByRole("button", { name: "Add passkey" });
  await name.fill(" ");
  await add.click();
  await expect(name).toHaveAccessibleDescription(/Please enter a name/);
  await name.fill("Kitchen laptop");

  // Who does not unlock the device adds nothing, and can try again.
  await device.setUnlocked(false);
  await add.click();
  await expect(dialog.getByRole("status")).toHaveText("No passkey was added. You can try again.");
  await expect(dialog.getByRole("alert")).toHaveCount(0);
  await expect(add).toBeFocused();
  await device.setUnlocked(true);
  await clickTwice(add);
  const codes = page.getByRole("dialog", { name: "Recovery codes" });
  await expect(codes.getByRole("listitem")).toHaveCount(10);
  await expectAccessible(page);
  expect(await device.count()).toBe(1);
  await codes.getByRole("button", { name: "I have saved them" }).click();
  await expect(passkeys(page)).toContainText(["Kitchen laptop"]);
  await expect(passkeys(page)).toContainText(["Not used yet"]);
  await expect(panel(page)).toContainText("10 of 10 left");
  await expect(events(page)).toContainText("A passkey was added");
  await expectAccessible(page);

  // The same device has one already.
  await panel(page).getByRole("button", { name: "Add a passkey" }).click();
  await dialog.getByRole("button", { name: "Add passkey" }).click();
  await expect(dialog.getByRole("alert")).toHaveText("This device already has a passkey for your account.");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();

  await page.context().clearCookies();
  await page.goto("/auth");
  await expect(signInButton(page)).toBeVisible();
  await expectAccessible(page);
  await clickTwice(signInButton(page));
  await expect(toastTitled(page, "Login Successful")).toContainText(username);
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.goto("/settings?tab=security");
  await expect(passkeys(page)).toContainText(["Last used"]);
});

test("a passkey that is not used on the login page causes no error", async ({ page }) => {
  const device = await PasskeyDevice.of(page);
  await device.setUnlocked(false);
  await page.goto("/auth");
  await signInButton(page).click();
  await expect(page.getByRole("status").filter({ hasText: NOT_USED })).toBeVisible();
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(signInButton(page)).toBeFocused();
  await expectAccessible(page);
  // Whoever goes elsewhere while the browser waits is not asked any more.
  await device.setPresent(false);
  await signInButton(page).click();
  await expect(signInButton(page)).toBeDisabled();
  await page.getByRole("link", { name: "Forgot password?" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Forgot Password" })).toBeVisible();
  await page.goBack();
  await expect(signInButton(page)).toBeEnabled();
});

test("a passkey is the second step after the password, and a recovery code replaces it", async ({
  page,
  administrator,
}) => {
  const { username, recoveryCodes } = await playerWithPasskey(page, administrator);
  await page.context().clearCookies();
  await enterPassword(page, username);
  await expect(code(page)).toBeFocused();
  const button = page.getByRole("button", { name: "Use a passkey" });
  await expect(button).toBeVisible();
  await expectAccessible(page);
  await button.click();
  await expect(page).toHaveURL(/\/dashboard$/);

  await page.context().clearCookies();
  await enterPassword(page, username);
  await page.getByRole("button", { name: "Use a recovery code instead" }).click();
  await page.getByLabel("Recovery code", { exact: true }).fill(recoveryCodes[0] ?? "");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/dashboard$/);
});

test("a passkey confirms a new withdrawal address", async ({ page, administrator }) => {
  const { device } = await playerWithPasskey(page, administrator);
  await simulateExpiry(page, "**/api/account/withdrawal-addresses");
  await page.getByRole("button", { name: "Add address" }).click();
  const dialog = page.getByRole("dialog", { name: "Add an address" });
  await dialog.getByLabel("Wallet address").fill(BTC_ADDRESS);
  await dialog.getByLabel("Your password").fill(PASSWORD);
  await dialog.getByRole("button", { name: "Add address" }).click();
  const confirmation = page.getByRole("dialog", { name: "Confirm your identity" });
  const button = confirmation.getByRole("button", { name: "Use a passkey" });
  await expect(button).toBeFocused();
  await expectAccessible(page);
  await device.setUnlocked(false);
  await page.keyboard.press("Enter");
  await expect(confirmation.getByRole("status")).toHaveText(NOT_USED);
  await expect(confirmation.getByRole("alert")).toHaveCount(0);
  // Without an authenticator only recovery codes are left.
  await confirmation.getByRole("button", { name: "Use a recovery code instead" }).click();
  await expect(confirmation.getByLabel("Recovery code")).toBeFocused();
  await expect(confirmation.getByRole("button", { name: "Use a code of the authenticator" })).toHaveCount(0);
  await expectAccessible(page);
  await confirmation.getByRole("button", { name: "Use a passkey instead" }).click();
  await device.setUnlocked(true);
  await button.click();
  await expect(confirmation).toBeHidden();
  await expect(toastTitled(page, "Address Added")).toBeVisible();
});

test("a removed passkey no longer signs in, and the page says so", async ({ page, administrator }) => {
  const { username } = await playerWithPasskey(page, administrator);
  await panel(page).getByRole("button", { name: "Remove the passkey Kitchen laptop" }).click();
  const question = page.getByRole("dialog", { name: "Remove this passkey?" });
  await expect(question).toContainText("Your password alone then signs you in");
  await expectAccessible(page);
  await question.getByRole("button", { name: "Remove" }).click();
  await expect(toastTitled(page, "Passkey Removed")).toBeVisible();
  await expect(panel(page).getByRole("button", { name: "Set up an authenticator" })).toBeVisible();
  await expect(passkeys(page)).toHaveCount(0);
  await expect(events(page)).toContainText("A passkey was removed");

  await page.context().clearCookies();
  await page.goto("/auth");
  await signInButton(page).click();
  await expect(page.getByRole("alert")).toContainText("may have been removed");
  await expectAccessible(page);
  await expect(page).toHaveURL(/\/auth$/);
  await enterPassword(page, username);
  await expect(page).toHaveURL(/\/dashboard$/);
});

test("passkeys are not offered at a numeric address", async ({ page }) => {
  await page.goto(`${BASE_URL}/auth`);
  await expect(page.getByRole("button", { name: "Login" })).toBeVisible();
  await expect(signInButton(page)).toHaveCount(0);
});

test("an administrator's first second factor can be a passkey", async ({ page }) => {
  const house = await OwnHouse.open();
  const url = atName(house.url);
  try {
    await PasskeyDevice.of(page);
    await page.goto(`${url}/auth`);
    await page.getByLabel("Username").fill("admin");
    await page.getByLabel("Password", { exact: true }).fill("c4reful-hands-of-a-keeper");
    await page.getByLabel("Password", { exact: true }).press("Enter");
    const heading = page.getByRole("heading", { level: 1 });
    await expect(heading).toHaveText("Set Up a Second Factor");
    await expect(page.getByRole("button", { name: "Set up an authenticator" })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Set up an authenticator" }).click();
    await page.getByRole("button", { name: "Back" }).click();
    await addFirst(page, "Office desk");
    await expect(heading).not.toHaveText("Set Up a Second Factor");
    await page.goto(`${url}/admin`);
    await expect(page.getByRole("heading", { name: "Admin Panel" })).toBeVisible();
    await page.goto(`${url}/settings?tab=security`);
    await expect(passkeys(page)).toContainText(["Office desk"]);
    await expect(panel(page).getByRole("button", { name: /^Remove/ })).toHaveCount(0);
  } finally {
    await house.close(page);
  }
});
