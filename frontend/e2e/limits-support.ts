import type { Page } from "@playwright/test";
import { panel } from "./settings-support";
import { expect } from "./support";

/** The limit of a period, by its name, such as "stake limit a day". */
export const limitRow = (page: Page, name: string) =>
  panel(page, "Limits").getByRole("listitem").and(page.getByLabel(name));

export async function openLimits(page: Page): Promise<void> {
  await page.goto("/settings?tab=limits");
  await expect(panel(page, "Limits")).toBeVisible();
}

/** Sets a limit past the page; null asks to remove it. */
export async function setLimit(page: Page, path: string, value: string | null): Promise<void> {
  const answer = await page.context().request.put(`/api/limits/${path}`, { data: { value } });
  expect(answer.ok()).toBe(true);
}
