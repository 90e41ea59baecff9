import type { APIRequestContext, Browser, Page } from "@playwright/test";
import { expect, PASSWORD } from "./support";

/** A section of the settings, or a part of one. */
export const panel = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
export const sessions = (page: Page) => panel(page, "Sessions").getByRole("listitem");
export const events = (page: Page) => panel(page, "Security events").getByRole("listitem");

/** Signs the same player in on another device, and opens a page there. */
export async function elsewhere(browser: Browser, username: string, password = PASSWORD) {
  const context = await browser.newContext();
  const answer = await context.request.post("/api/login", { data: { username, password } });
  expect(answer.ok()).toBe(true);
  return { context, page: await context.newPage(), close: () => context.close() };
}

/** Whether the house accepts the password, from a device that it does not know. */
export const canSignIn = async (browser: Browser, username: string, password: string): Promise<boolean> => {
  const context = await browser.newContext();
  const answer = await context.request.post("/api/login", { data: { username, password } });
  await context.close();
  return answer.ok();
};

/** Waits until the user has this many security events: refused attempts are recorded in the background. */
export async function waitForEvents(request: APIRequestContext, count: number): Promise<void> {
  const known = async () => {
    const answer = await request.get("/api/account/security-events");
    return ((await answer.json()) as unknown[]).length;
  };
  await expect.poll(known).toBe(count);
}

/** Fills the form that changes the password. */
export async function fillPasswords(page: Page, current: string, next: string): Promise<void> {
  await page.getByLabel("Current password", { exact: true }).fill(current);
  await page.getByLabel("New password", { exact: true }).fill(next);
}
export const submit = (page: Page) => page.getByRole("button", { name: "Change password" });
