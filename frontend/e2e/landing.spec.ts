import { drawingOf, framesDrawn, loadPictures, pictures, shiftSum, watchShifts } from "./picture-support";
import { expect, expectAccessible, test } from "./support";

const FEATURED = [
  ["Dice", "99.0%", "99.00%", "at every target"],
  ["Stonks", "99.0%", "99.00%", "whenever you sell"],
  ["Jacks or Better Poker", "97.3%", "97.29843375%", "with best play at the maximum bet"],
] as const;

test("the landing page shows the featured games as pictures, with their exact returns @both", async ({ page }) => {
  await watchShifts(page);
  await page.goto("/");
  const games = page.getByRole("region", { name: "Featured games" });
  for (const [name, rtp, exact, scope] of FEATURED) {
    const card = games.getByRole("listitem").filter({ has: page.getByRole("heading", { name }) });
    await expect(card.getByText(rtp)).toHaveAttribute("title", exact);
    await expect(card.getByText(scope)).toBeVisible();
    await expect(card.getByRole("link", { name })).toHaveAttribute("href", "/auth");
  }
  await loadPictures(page);
  await expect(page.getByText("revealed after the roll")).toBeVisible();
  expect(await shiftSum(page)).toBeLessThan(0.05);
  await expectAccessible(page);
  await games.getByRole("heading", { name: "Stonks" }).click();
  await expect(page).toHaveURL(/\/auth$/);
});

test("the demonstration rolls, reveals the seed behind the hash and keeps the rolls on its track", async ({ page }) => {
  await page.goto("/");
  const demonstration = page.getByRole("region", { name: "Demonstration dice" });
  const next = demonstration.locator("dt", { hasText: "Hash of the seed that decides the next roll" }).locator("+ dd");
  const shown = demonstration.locator("dt", { hasText: "The hash shown before the last roll" }).locator("+ dd");
  const seed = demonstration.locator("dt", { hasText: "The seed behind it" }).locator("+ dd");
  await expect(next).toHaveText(/^[0-9a-f]{64}$/);
  for (let roll = 1; roll <= 3; roll += 1) {
    const hash = (await next.textContent()) ?? "";
    await demonstration.getByRole("button", { name: "Roll", exact: true }).click();
    await expect(shown).toHaveText(hash);
    await expect(next).not.toHaveText(hash);
    const revealed = (await seed.textContent()) ?? "";
    const recomputed = await page.evaluate(async (text) => {
      const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
      return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    }, revealed);
    expect(recomputed).toBe(hash);
    await expect(demonstration.getByTestId("past-roll")).toHaveCount(roll);
  }
  await expectAccessible(page);
});

test("the pictures move, and stand still for visitors who prefer that", async ({ page }) => {
  await page.goto("/");
  await loadPictures(page);
  const hero = pictures(page).first();
  const first = await drawingOf(hero);
  await expect.poll(() => drawingOf(hero)).not.toBe(first);

  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  for (const picture of await pictures(page).all()) {
    await picture.scrollIntoViewIfNeeded();
    await expect(picture).toHaveAttribute("data-loaded", "true");
    await framesDrawn(page, 5);
    const still = await drawingOf(picture);
    await framesDrawn(page, 40);
    expect(await drawingOf(picture)).toBe(still);
  }
  // A roll has its result at once: no number passes by.
  await page.getByRole("button", { name: "Roll", exact: true }).click();
  await expect(page.getByTestId("past-roll")).toHaveCount(1);
  await expectAccessible(page);
});

test("the pictures are loaded after the page and only where they are seen", async ({ page }) => {
  const loaded: string[] = [];
  page.on("response", (response) => {
    if (/assets\/[a-z-]+-preview-/.test(response.url())) loaded.push(response.url());
  });
  await page.goto("/");
  await expect(page.locator("[data-picture]").first()).toHaveAttribute("data-loaded", "true");
  const { headers, body } = await page.request
    .get("/")
    .then(async (answer) => ({ headers: answer.headers(), body: await answer.text() }));
  expect(body).toContain("/assets/");
  expect(body + (headers.link ?? "")).not.toMatch(/\/(crash|dice|heads-up|mines|stonks|video-poker)-preview-/);
  expect(loaded.filter((url) => url.includes("mines-preview"))).toEqual([]);
});
