import type { Locator } from "@playwright/test";
import { expect, signInAsPlayer, test } from "./support";

async function boxOf(locator: Locator): Promise<{ top: number; bottom: number; height: number }> {
  const box = await locator.boundingBox();
  if (!box) throw new Error("it is not shown");
  return { top: box.y, bottom: box.y + box.height, height: box.height };
}

for (const size of [
  { width: 360, height: 640 },
  { width: 390, height: 844 },
]) {
  test(`at ${size.width}×${size.height} the dock leaves the whole stage in sight`, async ({ page, administrator }) => {
    await page.setViewportSize(size);
    await signInAsPlayer(page, administrator);
    for (const path of ["/dice", "/crash"]) {
      await page.goto(path);
      const button = page.getByTestId("main-action");
      await expect(button).toBeEnabled();
      const stage = await boxOf(page.locator(".stage"));
      const options = await boxOf(page.locator("[data-dock-options]"));
      const amount = await boxOf(page.getByLabel("Bet amount"));
      const main = await boxOf(button);
      const bar = await boxOf(page.getByRole("navigation", { name: "Main" }));
      expect(stage.height, path).toBeGreaterThanOrEqual(200);
      expect(stage.bottom, path).toBeLessThanOrEqual(options.top);
      expect(options.bottom, path).toBeLessThanOrEqual(amount.top);
      expect(amount.bottom, path).toBeLessThanOrEqual(main.top);
      expect(main.height, path).toBe(64);
      expect(main.bottom, path).toBeLessThanOrEqual(bar.top);
    }
  });
}
