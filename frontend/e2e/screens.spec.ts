import { expectAccessible, openScreen, signInAsPlayer, test } from "./support";

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
      await openScreen(page, path);
      await expectAccessible(page);
    }
  });
}
