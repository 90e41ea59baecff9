import type { Page } from "@playwright/test";
import { OwnHouse } from "./own-house";
import { panel } from "./settings-support";
import { expect, expectAccessible, PASSWORD, test, toastTitled } from "./support";

const NEW_PASSWORD = "qu1et-harbour-9";
const ADDRESS = "lena@example.com";
const CONFIRM = "Confirm your e-mail address";

/** Registers lena in a house of its own, with the form. */
async function register(page: Page, house: OwnHouse, email = ""): Promise<void> {
  await page.goto(`${house.url}/auth?tab=register`);
  await page.getByRole("button", { name: /^I understand/ }).click();
  await page.getByLabel("Username").fill("lena");
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Confirm password", { exact: true }).fill(PASSWORD);
  if (email !== "") await page.getByLabel("E-mail (optional)").fill(email);
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Create Account" }).click();
  await expect(toastTitled(page, "Registration Successful")).toBeVisible();
}

/** The field, whose panel has the same name. */
const newPassword = (page: Page) => page.getByLabel("New password", { exact: true }).and(page.locator("input"));

/** Waits for a mail with this subject on the sandbox's page, and follows the link of the newest in the same tab. */
async function followLink(page: Page, house: OwnHouse, subject: string, recipient = ADDRESS): Promise<void> {
  await page.goto(`${house.sandbox}/sandbox/mails`);
  const mail = page.getByRole("article", { name: subject }).filter({ hasText: recipient }).first();
  await expect
    .poll(async () => {
      if (await mail.isVisible()) return true;
      await page.reload();
      return mail.isVisible();
    })
    .toBe(true);
  const link = mail.getByRole("link").first();
  const address = (await link.getAttribute("href")) ?? "";
  await page.goto("about:blank");
  await page.goto(address);
}

/** The subjects of the mails to an address, newest first, once there are so many. */
async function subjects(page: Page, house: OwnHouse, address: string, count: number): Promise<string[]> {
  const mails = page.getByRole("article").filter({ hasText: address });
  await expect
    .poll(async () => {
      await page.goto(`${house.sandbox}/sandbox/mails`);
      return mails.count();
    })
    .toBe(count);
  return mails.getByRole("heading").allTextContents();
}

test("an address is confirmed, replaced and removed", async ({ page }) => {
  const house = await OwnHouse.open();
  await register(page, house);
  await page.goto(`${house.url}/settings`);
  const email = panel(page, "E-mail");
  await email.getByRole("button", { name: "Add address" }).click();
  await expectAccessible(page);
  await page.getByLabel("New e-mail address").fill("lena");
  await page.getByLabel("Password", { exact: true }).fill("wrong");
  await page.getByRole("button", { name: "Send link" }).click();
  await expect(page.getByText("Please enter a valid e-mail address")).toBeVisible();
  await page.getByLabel("New e-mail address").fill(ADDRESS);
  await page.getByRole("button", { name: "Send link" }).click();
  await expect(page.getByText("Incorrect password. Please try again.")).toBeVisible();
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Send link" }).click();
  await expect(toastTitled(page, "Mail Sent")).toBeVisible();
  await expect(email).toContainText(`${ADDRESS}Waiting for you to open the link`);

  await followLink(page, house, CONFIRM);
  // The token is in neither the address nor the history.
  await expect(page).toHaveURL(`${house.url}/verify-email`);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Confirm address" }).click();
  await expect(panel(page, "Address confirmed")).toBeVisible();
  await page.getByRole("link", { name: "Back to settings" }).click();
  await expect(email).toContainText(`${ADDRESS}Confirmed`);
  await followLink(page, house, CONFIRM);
  await page.getByRole("button", { name: "Confirm address" }).click();
  await expect(page.getByRole("alert")).toContainText("The link cannot be used");

  // The choice of mails is kept.
  await page.goto(`${house.url}/settings`);
  const sessions = page.getByRole("switch", { name: "Sessions that were ended from another device" });
  await expect(sessions).toBeChecked();
  await sessions.click();
  await expect(sessions).not.toBeChecked();
  await expectAccessible(page);
  await page.reload();
  await expect(sessions).not.toBeChecked();

  await email.getByRole("button", { name: "Change address" }).click();
  await page.getByLabel("New e-mail address").fill("lena@other.example");
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Send link" }).click();
  await expect(email).toContainText("lena@other.example");
  await expect(email).toContainText(`${ADDRESS}Confirmed`);
  await followLink(page, house, CONFIRM, "lena@other.example");
  await page.getByRole("button", { name: "Confirm address" }).click();
  await page.getByRole("link", { name: "Back to settings" }).click();
  await expect(email).toContainText("lena@other.exampleConfirmed");
  expect(await subjects(page, house, ADDRESS, 2)).toEqual(["Your e-mail address was changed", CONFIRM]);
  await expectAccessible(page);

  await page.goto(`${house.url}/settings`);
  await email.getByRole("button", { name: "Remove address" }).click();
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Remove address" }).click();
  await expect(toastTitled(page, "E-Mail Address Removed")).toBeVisible();
  await expect(email.getByRole("button", { name: "Add address" })).toBeVisible();
  await page.goto(`${house.url}/settings?tab=security`);
  const events = page.getByRole("list", { name: "Security events, newest first" });
  await expect(events).toContainText("The e-mail address was removed");
  await house.close(page);
});

test("a forgotten password is replaced with a link", async ({ page }) => {
  const house = await OwnHouse.open();
  await register(page, house, ADDRESS);
  await followLink(page, house, CONFIRM);
  await page.getByRole("button", { name: "Confirm address" }).click();
  await expect(panel(page, "Address confirmed")).toBeVisible();
  await page.request.post(`${house.url}/api/logout`);

  await page.goto(`${house.url}/auth`);
  await page.getByRole("link", { name: "Forgot password?" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Forgot Password");
  await expectAccessible(page);
  // The answer is the same for an address that nobody has.
  await page.getByLabel("E-mail address", { exact: true }).fill("nobody@example.com");
  await page.getByRole("button", { name: "Send link" }).click();
  const answer = panel(page, "Check your mail");
  const unknown = (await answer.innerText()).replace("nobody@example.com", "…");
  await page.getByRole("button", { name: "Use another address" }).click();
  await page.getByLabel("E-mail address", { exact: true }).fill(ADDRESS);
  await page.getByRole("button", { name: "Send link" }).click();
  await expect(answer).toContainText(ADDRESS);
  expect((await answer.innerText()).replace(ADDRESS, "…")).toBe(unknown);
  await expectAccessible(page);

  await followLink(page, house, "Choose a new password");
  await expect(page).toHaveURL(`${house.url}/new-password`);
  await newPassword(page).fill("password");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("This password is among the most common ones. Please choose another.")).toBeVisible();
  await expectAccessible(page);
  await newPassword(page).fill(NEW_PASSWORD);
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(panel(page, "Password changed")).toBeVisible();
  await page.getByRole("link", { name: "Log in" }).click();
  await page.getByLabel("Username").fill("lena");
  await page.getByLabel("Password", { exact: true }).fill(NEW_PASSWORD);
  await page.getByLabel("Password", { exact: true }).press("Enter");
  await expect(toastTitled(page, "Login Successful")).toBeVisible();

  await followLink(page, house, "Choose a new password");
  await newPassword(page).fill("another-harbour-8");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByRole("alert")).toContainText("The link cannot be used");
  await expect(page.getByRole("link", { name: "Ask for a new link" })).toBeVisible();
  await house.close(page);
});

test("links without a token lead on", async ({ page }) => {
  await page.goto("/new-password");
  await expect(page.getByRole("alert")).toContainText("The link cannot be used");
  await expectAccessible(page);
  await page.getByRole("link", { name: "Ask for a new link" }).click();
  await expect(page).toHaveURL(/\/forgot-password$/);
  await page.goto("/verify-email#abc");
  await page.getByRole("button", { name: "Confirm address" }).click();
  await expect(page.getByRole("alert")).toContainText("The link cannot be used");
});
