import type { Locator, Page } from "@playwright/test";
import { expect, expectAccessible, openScreen, signInAsPlayer, test, toastsReady, toastTitled } from "./support";

const PHONES = [
  { width: 360, height: 640 },
  { width: 390, height: 844 },
  { width: 844, height: 390 },
] as const;
const SIZES = [...PHONES, { width: 1440, height: 900 }] as const;
const SETTINGS = ["profile", "security", "privacy", "display", "sound"].map((name) => `/settings?tab=${name}`);
const GAMES = ["/dice", "/crash", "/stonks", "/poker", "/poker#heads-up"] as const;

type Box = { x: number; y: number; width: number; height: number };

const mainOf = (page: Page) => page.locator("[data-dock]");
async function boxOf(locator: Locator): Promise<Box> {
  const box = await locator.boundingBox();
  if (!box) throw new Error("it is not shown");
  return box;
}
const overlaps = (a: Box, b: Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

/** Checks that an element is in the viewport and that nothing covers it. */
async function expectReachable(page: Page, locator: Locator): Promise<void> {
  await expect(locator).toBeInViewport({ ratio: 1 });
  // One button may just be replacing another.
  const isHit = () =>
    locator.evaluate((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      const hit = document.elementFromPoint(left + width / 2, top + height / 2);
      return hit !== null && (element.contains(hit) || hit.contains(element));
    });
  await expect.poll(isHit, "something lies over it").toBe(true);
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
}

/** Plays ten rounds, so that the row of results is wider than a phone. */
async function playDice(page: Page): Promise<void> {
  for (let round = 0; round < 10; round += 1) {
    await page
      .context()
      .request.post("/api/dice/play", { data: { betAmount: "1.00", targetNumber: 50, betType: "over" } });
  }
}

for (const size of SIZES) {
  test(`at ${size.width}×${size.height} no stage or canvas is wider than its panel ${size.width < 1000 ? "@phone" : "@desktop"}`, async ({
    page,
    administrator,
  }) => {
    await page.setViewportSize(size);
    await signInAsPlayer(page, administrator);
    await playDice(page);
    // Real dice rounds, presented as rounds of the other games with the longest possible results.
    const dice = (await (await page.context().request.get("/api/game-history")).json()) as object[];
    await page.route("**/api/game-history?*", async (route) => {
      const gameType = new URL(route.request().url()).searchParams.get("gameType");
      const results = { crash: { crashPoint: 100, cashoutMultiplier: 100 }, stonks: { cashoutMultiplier: 100 } };
      if (gameType !== "crash" && gameType !== "stonks") await route.continue();
      else
        await route.fulfill({
          json: dice.map((round) =>
            Object.assign({}, round, { gameType, outcome: "win (100.00x)", winAmount: "100.00" }, results[gameType]),
          ),
        });
    });
    for (const path of ["/dice", "/crash", "/stonks", "/dashboard/crash", "/dashboard/stonks"]) {
      await openScreen(page, path);
      await expect(page.locator(".stage").getByRole("list").getByRole("button").first()).toBeVisible();
      const panel = await boxOf(page.locator(".stage").locator(".."));
      expect(panel.x + panel.width, path).toBeLessThanOrEqual(size.width);
      for (const part of await page.locator(".stage, .stage canvas").all()) {
        const box = await boxOf(part);
        expect(box.x, path).toBeGreaterThanOrEqual(panel.x);
        expect(box.x + box.width, path).toBeLessThanOrEqual(panel.x + panel.width);
      }
      if (path.endsWith("stonks")) expect((await boxOf(page.locator(".stage canvas"))).height).toBe(300);
    }
  });
}

for (const size of PHONES) {
  test(`at ${size.width}×${size.height} the main action is reachable in every game and phase and never moves @phone`, async ({
    page,
    administrator,
  }) => {
    await page.setViewportSize(size);
    await signInAsPlayer(page, administrator, "1000.00");
    for (const path of GAMES) {
      await openScreen(page, path);
      const main = mainOf(page);
      const button = main.getByRole("button").first();
      await expect(button).toBeEnabled();
      await expectReachable(page, button);
      const place = await boxOf(main);
      await button.click();
      // One press further: rolled, in play or over, dealt. None of it may move the dock.
      await expectReachable(page, main.getByRole("button").first());
      // The next phase's dock replaces this one in the same position.
      await expect.poll(() => main.boundingBox()).toEqual(place);
      // And another press: rolled again, cashed out, sold, drawn, folded, or restarted after an early end.
      const next = main.getByRole("button").first();
      await expect(next).toBeEnabled();
      await next.click();
      await expectReachable(page, main.getByRole("button").first());
      await expect.poll(() => main.boundingBox()).toEqual(place);
      // And after scrolling to the end of the page.
      await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
      await expect.poll(() => main.boundingBox()).toEqual(place);
    }
  });
}

test("a toast covers no title, close button or main action", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  for (const size of [...SIZES, { width: 768, height: 1024 }, { width: 1024, height: 768 }]) {
    await page.setViewportSize(size);
    await openScreen(page, "/crash");
    await toastsReady(page);
    await page.getByLabel("Bet amount").fill("0");
    await mainOf(page).getByRole("button").click();
    const toast = toastTitled(page, "Invalid Bet");
    await expect(toast).toBeVisible();
    const box = await boxOf(toast);
    for (const important of [page.getByRole("heading", { level: 1 }), mainOf(page), page.getByTestId("balance")]) {
      expect(overlaps(box, await boxOf(important)), `${size.width}×${size.height}`).toBe(false);
    }
    await openScreen(page, "/dashboard?tab=account");
    await toastsReady(page);
    await page.getByRole("button", { name: "Withdraw Crypto" }).click();
    const dialog = page.getByRole("dialog", { name: "Withdraw" });
    await dialog.getByLabel("Amount (USD)").fill("0");
    await dialog.getByRole("button", { name: "Request Withdrawal" }).click();
    await expect(toastTitled(page, "Invalid Amount")).toBeVisible();
    const over = await boxOf(toastTitled(page, "Invalid Amount"));
    for (const important of [
      dialog.getByRole("heading").first(),
      dialog.getByRole("button", { name: "Close" }),
      dialog.getByRole("button", { name: "Request Withdrawal" }),
    ]) {
      expect(overlaps(over, await boxOf(important)), `${size.width}×${size.height}`).toBe(false);
    }
  }
});

test("one Escape closes the dialog under a toast, and the toast stays", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await page.goto("/dashboard?tab=account");
  await page.getByRole("button", { name: "Withdraw Crypto" }).click();
  const dialog = page.getByRole("dialog", { name: "Withdraw" });
  await dialog.getByLabel("Amount (USD)").fill("0");
  await dialog.getByRole("button", { name: "Request Withdrawal" }).click();
  // While the mouse is on it, a toast does not go by itself.
  await toastTitled(page, "Invalid Amount").hover();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(toastTitled(page, "Invalid Amount")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(toastTitled(page, "Invalid Amount")).toBeHidden();
});

/** Returns the controls that are too small for a finger. Links inside a sentence are exempt. */
async function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    for (const element of document.querySelectorAll<HTMLElement>(
      'a[href], button, input, select, textarea, [role="slider"], [role="tab"], [role="menuitem"]',
    )) {
      const { width, height } = element.getBoundingClientRect();
      const isShown =
        element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && width > 1 && height > 1;
      const isInSentence =
        element.matches("p a, label a, a.sr-only:not(:focus)") || element.closest("[aria-hidden='true']") !== null;
      if (isShown && !isInSentence && (width < 44 || height < 44))
        found.push(`${Math.round(width)}×${Math.round(height)} ${element.outerHTML.slice(0, 160)}`);
    }
    return found;
  });
}

test("on a phone every control is large enough for a finger @phone", async ({ page, administrator }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of ["/", "/transparency", "/auth"]) {
    await openScreen(page, path);
    expect(await smallTargets(page), path).toEqual([]);
  }
  await page.getByRole("tab", { name: "Register" }).click();
  expect(await smallTargets(page), "the notice").toEqual([]);
  await page.getByRole("button", { name: /I understand/ }).click();
  expect(await smallTargets(page), "the registration").toEqual([]);
  await signInAsPlayer(page, administrator);
  await playDice(page);
  for (const path of [
    ...GAMES,
    "/dashboard",
    "/dashboard?tab=account",
    "/dashboard/dice",
    "/history",
    ...SETTINGS,
    "/coming-soon",
    "/admin",
    "/no/such/page",
  ]) {
    await openScreen(page, path);
    if (path.startsWith("/settings")) await expect(page.getByRole("main").locator("section").first()).toBeVisible();
    if (path === "/history") await expect(page.getByText(/^Showing \d+ of/)).toBeVisible();
    expect(await smallTargets(page), path).toEqual([]);
  }
  await openScreen(page, "/dashboard");
  await page.getByRole("button", { name: "Open menu" }).click();
  expect(await smallTargets(page), "the side menu").toEqual([]);
});

test("the bottom bar links all games and the wallet, and marks one @phone", async ({ page, administrator }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await signInAsPlayer(page, administrator);
  await openScreen(page, "/dashboard");
  const bar = page.getByRole("navigation", { name: "Main" });
  await expect(bar.locator('[aria-current="page"]')).toHaveText("Home");
  for (const [name, heading] of [
    ["Dice", "Dice"],
    ["Crash", "Crash"],
    ["Stonks", "Stonks"],
    ["Poker", "Jacks or Better Video Poker"],
    ["History", "Game History"],
    ["Wallet", "Welcome"],
  ] as const) {
    await bar.getByRole("link", { name }).click();
    await expect(page.getByRole("heading", { level: 1 })).toContainText(heading);
    await expect(bar.locator('[aria-current="page"]')).toHaveText(name);
  }
  await expect(page.getByRole("tab", { name: "Account" })).toHaveAttribute("aria-selected", "true");
  await expectAccessible(page);
});

test("on a narrow phone the history shows all columns, also of large amounts @phone", async ({
  page,
  administrator,
}) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await signInAsPlayer(page, administrator);
  await playDice(page);
  // Real dice rounds with the largest amounts and the longest outcome.
  const large = { outcome: "win (Straight Flush)", betAmount: "99999.00", winAmount: "100000.00", profit: "99999.00" };
  await page.route("**/api/game-history?*", async (route) => {
    const response = await route.fetch();
    const rounds = (await response.json()) as object[];
    await route.fulfill({ response, json: rounds.map((round) => Object.assign({}, round, large)) });
  });
  await openScreen(page, "/history");
  const records = page.getByRole("region", { name: "Game records" });
  await expect(records.getByText("$100,000.00").first()).toBeVisible();
  expect(await records.evaluate((region) => region.scrollWidth - region.clientWidth)).toBe(0);
});

test("heads-up poker is in the sidebar, in the phone menu and next to video poker @both", async ({
  page,
  administrator,
  isMobile,
}) => {
  await signInAsPlayer(page, administrator);
  await openScreen(page, "/dashboard");
  if (isMobile) {
    await page.getByRole("button", { name: "Open menu" }).click();
    await page.getByRole("dialog").getByRole("link", { name: "Heads-up Poker" }).click();
  } else {
    await page
      .getByRole("navigation", { name: "Games and account" })
      .getByRole("link", { name: "Heads-up poker" })
      .click();
  }
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Heads-up Hold'em");
  await expect(page.getByTestId("heads-up-action")).toBeVisible();
  await page.getByRole("tab", { name: "Video poker" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Jacks or Better Video Poker");
});

for (const size of PHONES) {
  test(`at ${size.width}×${size.height} the flop and the actions are in view together @phone`, async ({
    page,
    administrator,
  }) => {
    await page.setViewportSize(size);
    await signInAsPlayer(page, administrator);
    await openScreen(page, "/poker#heads-up");
    await page.getByTestId("heads-up-action").click();
    await expect(page.getByRole("button", { name: /^Call/ })).toBeEnabled();
    for (const card of (await page.getByRole("list", { name: "Board" }).getByRole("listitem").all()).slice(0, 3)) {
      await expectReachable(page, card);
    }
    for (const name of [/^Fold/, /^Call/, /^Raise/]) await expectReachable(page, page.getByRole("button", { name }));
  });
}

test("a hand in play is shown on every other screen until it is over @both", async ({
  page,
  administrator,
  isMobile,
}) => {
  await signInAsPlayer(page, administrator);
  await openScreen(page, "/poker");
  await page.getByTestId("main-action").click();
  await expect(page.getByTestId("main-action")).toHaveText("Draw Cards");
  await page.getByRole("link", { name: "Glasshouse" }).click();
  const nav = isMobile ? page.getByRole("navigation", { name: "Main" }) : page.getByRole("banner");
  const inPlayLink = nav.getByRole("link", { name: /in play$/ });
  await expect(inPlayLink).toHaveText(isMobile ? /Poker, in play/ : "Video poker in play");
  await expectAccessible(page);
  await inPlayLink.click();
  await expect(page.getByTestId("main-action")).toHaveText("Draw Cards");
  await expect(inPlayLink).toHaveCount(0);
  await page.getByTestId("main-action").click();
  await expect(page.getByTestId("main-action")).toHaveText(/^New Game/);
  await page.getByRole("link", { name: "Glasshouse" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Welcome");
  await expect(inPlayLink).toHaveCount(0);
});

test("opening the registration tab shows the notice once, too", async ({ page }) => {
  await page.goto("/auth");
  await page.getByRole("tab", { name: "Register" }).click();
  const notice = page.getByRole("dialog", { name: "US User Notification" });
  await notice.getByRole("button", { name: "Close" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Welcome Back");
  await page.goto("/auth?tab=register");
  await notice.getByRole("button", { name: "Close" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Welcome Back");
  await page.getByRole("tab", { name: "Register" }).click();
  await notice.getByRole("button", { name: /I understand/ }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Create Account");
  await page.getByRole("tab", { name: "Login" }).click();
  await page.getByRole("tab", { name: "Register" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Create Account");
  await expect(notice).toBeHidden();
});

test("the dashboard keeps its cards while a game is selected", async ({ page, administrator }) => {
  const username = await signInAsPlayer(page, administrator);
  await openScreen(page, "/dashboard/dice");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Dice");
  await expect(page.getByText(`Welcome, ${username}`)).toBeVisible();
  await expect(page.getByRole("heading", { name: "Balance" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Recent Activity" })).toBeVisible();
});

test("headings are at the same height on all screens, and next to each other", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  const heights = new Set<number>();
  for (const path of [
    "/dashboard",
    "/dice",
    "/poker",
    "/history",
    "/settings",
    "/coming-soon",
    "/admin",
    "/no/such/page",
  ]) {
    await openScreen(page, path);
    heights.add((await boxOf(page.getByRole("heading", { level: 1 }))).y);
  }
  expect([...heights]).toHaveLength(1);
  await openScreen(page, "/dashboard");
  const [balance, activity] = await Promise.all([
    boxOf(page.getByRole("heading", { name: "Balance" })),
    boxOf(page.getByRole("heading", { name: "Recent Activity" })),
  ]);
  expect(balance.y).toBe(activity.y);
});
