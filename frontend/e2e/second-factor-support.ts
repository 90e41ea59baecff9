import type { Page } from "@playwright/test";
import { PASSWORD } from "./support";

// Shared by the journeys with authenticators and with passkeys.

export const panel = (page: Page) => page.getByRole("region", { name: "Second factor" });
export const events = (page: Page) => page.getByRole("list", { name: "Security events, newest first" });
export const code = (page: Page) => page.getByLabel("Code", { exact: true });

/** Types the username and the password on the login page. */
export async function enterPassword(page: Page, username: string, password = PASSWORD): Promise<void> {
  await page.goto("/auth");
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByLabel("Password", { exact: true }).press("Enter");
}

/** Lets the confirmation of the sign-in expire, as after five minutes. */
export async function simulateExpiry(page: Page, address: string): Promise<void> {
  let isFirst = true;
  await page.route(address, async (route) => {
    if (!isFirst || route.request().method() === "GET") return route.continue();
    isFirst = false;
    const message = "Please confirm that it is you to continue.";
    return route.fulfill({ status: 403, json: { code: "step_up_required", message } });
  });
}
