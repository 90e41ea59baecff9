import { expect, expectAccessible, signInAsPlayer, test } from "./support";

// Most journeys run at one size only, because what happens in them does not depend on it. So every screen is looked at
// on a phone as well.
const SETTINGS = ["profile", "security", "limits", "privacy", "display", "sound"].map((tab) => `/settings?tab=${tab}`);
const GAMES = ["/dice", "/crash", "/stonks", "/mines", "/poker", "/poker#heads-up"];
const PAGES = [
  "/dashboard",
  "/history",
  "/statistics",
  "/coming-soon",
  "/terms",
  "/responsible-gaming",
  "/transparency",
];

for (const [kind, paths] of Object.entries({ settings: SETTINGS, games: GAMES, pages: PAGES })) {
  test(`the ${kind} fit a phone @phone`, async ({ page, administrator }) => {
    await signInAsPlayer(page, administrator);
    for (const path of paths) {
      // An address that differs only in its hash would not reload the page.
      await page.goto("about:blank");
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expectAccessible(page);
    }
  });
}
