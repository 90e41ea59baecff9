// What makes Glasshouse installable, and what is shown before the scripts run and without a network.

import { expect, test } from "@playwright/test";

test.use({ serviceWorkers: "allow" });

/** Opens a page and waits until the service worker answers its requests. */
async function install(page: import("@playwright/test").Page): Promise<void> {
  await page.goto("/");
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    if (navigator.serviceWorker.controller) return;
    await new Promise((resolve) => navigator.serviceWorker.addEventListener("controllerchange", resolve));
  });
}

test("the manifest is complete, and its icons have the sizes that it states", async ({ page }) => {
  await page.goto("/");
  const address = await page.locator('link[rel="manifest"]').getAttribute("href");
  const response = await page.request.get(address ?? "");
  expect(response.headers()["content-type"]).toContain("application/manifest+json");
  const manifest = (await response.json()) as { icons: { src: string; sizes: string; purpose: string }[] };
  expect(manifest).toMatchObject({ name: "Glasshouse", display: "standalone", start_url: "/dashboard", scope: "/" });
  expect(manifest.icons.map(({ purpose }) => purpose)).toContain("maskable");
  for (const { src, sizes } of manifest.icons.filter(({ sizes: stated }) => stated !== "any")) {
    const size = await page.evaluate(async (source) => {
      const picture = new Image();
      picture.src = source;
      await picture.decode();
      return `${picture.naturalWidth}x${picture.naturalHeight}`;
    }, src);
    expect(size, src).toBe(sizes);
  }
});

test("without a network a page says so, and the site comes back with it", async ({ page, context }) => {
  await install(page);
  await context.setOffline(true);
  await page.goto("/transparency");
  await expect(page.getByRole("heading", { name: "You are offline" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Try Again" })).toHaveCSS("background-color", "rgb(249, 193, 59)");
  await context.setOffline(false);
  await page.getByRole("link", { name: "Try Again" }).click();
  await expect(page.getByRole("heading", { name: "Transparency", level: 1 })).toBeVisible();
});

test("calls are never answered by the service worker", async ({ page, context }) => {
  await install(page);
  const kept = await page.evaluate(async () => {
    await fetch("/api/games");
    const caught: string[] = [];
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys()) caught.push(new URL(url).pathname);
    return caught;
  });
  expect(kept).toContain("/offline.html");
  expect(kept.filter((path) => path.startsWith("/api") || path.startsWith("/log"))).toEqual([]);
  await context.setOffline(true);
  expect(await page.evaluate(() => fetch("/api/games").then(String, () => "refused"))).toBe("refused");
});

test("the worker of a new build replaces the old one and its files, without a reload", async ({ page }) => {
  await install(page);
  const [current] = await page.evaluate(() => caches.keys());
  await page.evaluate(async () => {
    Object.assign(window, { isSamePage: true });
    // As if an older build had left its files, and this one were newer than the one that is running.
    await (await caches.open("glasshouse-0000000000000000")).add("/icon.svg");
    const changed = new Promise((resolve) => navigator.serviceWorker.addEventListener("controllerchange", resolve));
    await navigator.serviceWorker.register("/sw.js?newer");
    await changed;
  });
  expect(current).toMatch(/^glasshouse-\w{16}$/);
  await expect.poll(() => page.evaluate(() => caches.keys())).toEqual([current]);
  expect(await page.evaluate(() => "isSamePage" in window)).toBe(true);
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("the frame of the page is there and says what is missing", async ({ page }) => {
    await page.goto("/dice");
    // A browser whose scripts a test has switched off still does not show it.
    expect(await page.locator("noscript").textContent()).toMatch(/^Glasshouse needs JavaScript/);
    await expect(page.getByText("Glasshouse", { exact: true })).toBeVisible();
    await expect(page.locator(".loading-stage")).toBeVisible();
    await expect(page.locator(".loading-header")).toHaveCSS("height", "56px");
  });
});
