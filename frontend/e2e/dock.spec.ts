import type { Locator, Page } from "@playwright/test";
import { expect, expectAccessible, openMines, signInAsPlayer, test, toastsReady, toastTitled } from "./support";

type Box = { top: number; bottom: number; left: number; right: number; height: number };
async function boxOf(locator: Locator): Promise<Box> {
  const box = await locator.boundingBox();
  if (!box) throw new Error("it is not shown");
  const { x, y, width, height } = box;
  return { top: y, bottom: y + height, left: x, right: x + width, height };
}
const overlaps = (one: Box, other: Box) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

const PORTRAITS = [
  { width: 360, height: 640 },
  { width: 390, height: 844 },
] as const;
const PHONES = [...PORTRAITS, { width: 844, height: 390 }] as const;

const mainButton = (page: Page) => page.getByTestId("main-action");

/** Opens a game whose main button is ready. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto("about:blank");
  await page.goto(path);
  await expect(page.locator("[data-dock]").getByRole("button").first()).toBeEnabled();
}

/** What must be seen of a stage while playing. */
const ESSENTIALS = [
  ["/dice", ".stage"],
  ["/crash", ".stage"],
  ["/stonks", ".stage canvas"],
  ["/dashboard/dice", ".stage"],
  ["/mines", "[role=grid]"],
] as const;

/** The fields that lie below the dock while they have the focus. */
async function coveredFields(page: Page): Promise<string[]> {
  const fields = await page.evaluate(async () => {
    const dock = document.querySelector("[data-dock]");
    if (!dock) throw new Error("there is no dock");
    const places: { html: string; box: DOMRect; dock: DOMRect }[] = [];
    for (const field of document.querySelectorAll<HTMLElement>(
      "#content :is(button, input, a, [role=slider]):not(:disabled)",
    )) {
      if (dock.contains(field) || !field.checkVisibility({ visibilityProperty: true })) continue;
      field.focus();
      await new Promise(requestAnimationFrame);
      const box = field.getBoundingClientRect();
      if (box.width > 0 && box.height > 0)
        places.push({ html: field.outerHTML, box: box.toJSON(), dock: dock.getBoundingClientRect().toJSON() });
    }
    return places;
  });
  return fields.filter(({ box, dock }) => overlaps(box, dock)).map(({ html }) => html);
}

test.beforeAll(async ({ administrator }) => openMines(administrator));

for (const size of PHONES) {
  test(`at ${size.width}×${size.height} the dock covers no field @phone`, async ({ page, administrator }) => {
    await page.setViewportSize(size);
    await signInAsPlayer(page, administrator);
    for (const path of ["/dice", "/crash", "/stonks", "/mines", "/poker", "/poker#heads-up"]) {
      await open(page, path);
      expect(await coveredFields(page), path).toEqual([]);
    }
  });

  test(`at ${size.width}×${size.height} no game needs scrolling while it is played @phone`, async ({
    page,
    administrator,
  }) => {
    await page.setViewportSize(size);
    await signInAsPlayer(page, administrator);
    for (const [path, essential] of ESSENTIALS) {
      await open(page, path);
      const stage = await boxOf(page.locator(essential));
      const header = await boxOf(page.getByRole("banner"));
      const options = await boxOf(page.locator("[data-dock-options]"));
      expect(stage.height, path).toBeGreaterThanOrEqual(200);
      expect(stage.top, path).toBeGreaterThanOrEqual(header.bottom);
      expect(stage.bottom, path).toBeLessThanOrEqual(size.width > size.height ? size.height : options.top);
      expect(stage.right, path).toBeLessThanOrEqual(size.width > size.height ? options.left : size.width);
    }
    // The last game was mines.
    for (const cell of await page.getByRole("gridcell").all())
      expect((await boxOf(cell)).height).toBeGreaterThanOrEqual(44);
    const pick = await boxOf(page.getByRole("button", { name: "Random pick" }));
    expect(pick.bottom).toBeLessThanOrEqual(size.height);
  });
}

for (const size of PORTRAITS) {
  test(`at ${size.width}×${size.height} the rows of the dock stand above the bottom bar @phone`, async ({
    page,
    administrator,
  }) => {
    await page.setViewportSize(size);
    await signInAsPlayer(page, administrator);
    for (const path of ["/dice", "/crash"]) {
      await open(page, path);
      const options = await boxOf(page.locator("[data-dock-options]"));
      const amount = await boxOf(page.getByLabel("Bet amount"));
      const main = await boxOf(mainButton(page));
      const bar = await boxOf(page.getByRole("navigation", { name: "Main" }));
      expect(options.bottom, path).toBeLessThanOrEqual(amount.top);
      expect(amount.bottom, path).toBeLessThanOrEqual(main.top);
      expect(main.height, path).toBe(64);
      expect(main.bottom, path).toBeLessThanOrEqual(bar.top);
    }
  });
}

for (const size of PHONES) {
  test(`at ${size.width}×${size.height} the toast of a result covers neither stage nor dock @phone`, async ({
    page,
    administrator,
  }) => {
    await page.clock.install();
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.setViewportSize(size);
    await signInAsPlayer(page, administrator);
    await open(page, "/dice");
    await toastsReady(page);
    // No time passes for the page, so that the toast stays.
    await page.clock.pauseAt(Date.now() + 60_000);
    await mainButton(page).click();
    const toast = toastTitled(page, "You");
    await expect(toast).toBeVisible();
    // Also under reduced motion it takes a millisecond to reach its place.
    await toast.evaluate((element) => Promise.all(element.getAnimations().map(({ finished }) => finished)));
    const shown = await boxOf(toast);
    const parts = [".stage", ".dock-amount", "[data-dock-options]"].map((part) => page.locator(part));
    // In landscape the amount's row fills the dock up to its options, and its upper part is empty.
    const controls = [page.getByLabel("Bet amount"), page.getByRole("radiogroup").first(), mainButton(page)];
    for (const part of size.width > size.height ? [page.locator(".stage"), ...controls] : [...parts, ...controls])
      expect(overlaps(shown, await boxOf(part))).toBe(false);
    expect(overlaps(shown, await boxOf(page.getByTestId("balance")))).toBe(false);
    expect(shown.bottom).toBeLessThanOrEqual(size.height);
    await toast.getByRole("button", { name: "Dismiss" }).click();
    await expect(toast).toBeHidden();
  });
}

test("on a phone My bets slides over the stage in every game, and leads to the proof of a round @phone", async ({
  page,
  administrator,
}) => {
  await signInAsPlayer(page, administrator);
  const roll = { betAmount: "1.00", targetNumber: 50, betType: "over" };
  await page.context().request.post("/api/dice/play", { data: roll });
  const opener = page.getByRole("button", { name: "My bets" });
  const sheet = page.getByRole("dialog", { name: "My bets" });
  for (const path of ["/crash", "/stonks", "/mines", "/poker", "/poker#heads-up"]) {
    await open(page, path);
    await opener.click();
    await expect(sheet).toContainText("No bets yet");
    await page.keyboard.press("Escape");
    await expect(sheet).toBeHidden();
  }
  await open(page, "/dice");
  await opener.click();
  await expect(sheet.getByRole("row")).toHaveCount(2);
  await expectAccessible(page);
  await sheet.getByRole("button", { name: /verify$/ }).click();
  const fairness = page.getByRole("dialog", { name: /fair/i });
  await expect(fairness).toBeVisible();
  await fairness.getByRole("button", { name: "Close" }).click();
  await expect(fairness).toBeHidden();
  await sheet.getByRole("button", { name: "Close" }).click();
  await expect(sheet).toBeHidden();
  await expect(opener).toBeFocused();
});

test("on a low phone the tabs follow the stage, and the history is shown from its top @phone", async ({
  page,
  administrator,
}) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await signInAsPlayer(page, administrator);
  await open(page, "/dice");
  const tabs = page.getByRole("tab", { name: "History" });
  expect((await boxOf(tabs)).top).toBeGreaterThan((await boxOf(page.locator(".stage"))).bottom);
  await tabs.click();
  await expect(tabs).toHaveAttribute("aria-selected", "true");
  await expect(tabs).toBeInViewport();
  await expectAccessible(page);
  await page.getByRole("tab", { name: "Place Bet" }).click();
  await expect(page.locator(".stage")).toBeInViewport();
});

test("heads-up has quick amounts, and its steps keep to five dollars", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await open(page, "/poker#heads-up");
  const bet = page.getByLabel("Opening bet");
  await page.getByRole("button", { name: "½ the bet" }).click();
  await expect(bet).toHaveValue("10.00");
  await page.getByRole("button", { name: "2× the bet" }).click();
  await expect(bet).toHaveValue("20.00");
  await page.getByTestId("heads-up-action").focus();
  const quick = (name: string) => page.getByRole("button", { name, exact: true });
  const options = page.getByRole("button", { name: /Bet options$/ });
  if (await options.isVisible()) await options.click();
  await expect(quick("Bet $1.00")).toHaveAttribute("aria-disabled", "true");
  await quick("Bet $5.00").click();
  await expectAccessible(page);
  if (await page.getByRole("dialog").isVisible()) await page.keyboard.press("Escape");
  await expect(bet).toHaveValue("5.00");
});
