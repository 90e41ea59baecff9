import { expect, expectAccessible, signInAsPlayer, test } from "./support";

test("an open menu leaves the page accessible @both", async ({ page, administrator, isMobile }) => {
  const username = await signInAsPlayer(page, administrator);
  await page.goto("/dashboard");
  if (isMobile) {
    await page.getByRole("button", { name: "Open menu" }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await expectAccessible(page);
    return;
  }
  for (const name of ["Games", username]) {
    const trigger = page.getByRole("banner").getByRole("button", { name, exact: true });
    await trigger.click();
    await expect(page.getByRole("menu")).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("menu")).toHaveCount(0);
    await expect(trigger).toBeFocused();
  }
});

test("selects and accordions are accessible while they are open", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await page.goto("/history");
  const select = page.getByRole("combobox", { name: "Game type" });
  await select.focus();
  await page.keyboard.press("Space");
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await page.goto("/poker");
  await page.getByRole("button", { name: "Rules and payouts" }).click();
  for (const name of ["Hand Rankings", "Paytable (8/5)"]) {
    await page.getByRole("dialog").getByRole("button", { name }).click();
    await expectAccessible(page);
  }
});

test("the visitors' menu and dialogs are accessible while they are open @both", async ({ page, isMobile }) => {
  await page.goto("/");
  if (isMobile) {
    await page.getByRole("button", { name: "Open menu" }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
  } else {
    await page.getByRole("button", { name: "Games", exact: true }).click();
    await expect(page.getByRole("menu")).toBeVisible();
  }
  await expectAccessible(page);
});

test("the first tab stop is the skip link, which skips the header", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await page.goto("/dice");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeInViewport({ ratio: 1 });
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.querySelector("#content")?.contains(document.activeElement))).toBe(true);
});

test("forced colors mode keeps every border", async ({ page, administrator }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await signInAsPlayer(page, administrator);
  for (let round = 0; round < 3; round += 1) {
    await page
      .context()
      .request.post("/api/dice/play", { data: { betAmount: "1.00", targetNumber: 50, betType: "over" } });
  }
  await page.goto("/dice");
  await page.getByRole("button", { name: /^Roll for/ }).click();
  const chip = page.getByRole("list", { name: "Last rolls" }).getByRole("button").first();
  await expect(chip).toBeVisible();
  const edged = {
    "the main button": page.getByRole("button", { name: /^Roll/ }),
    "the winning zone": page.getByTestId("winning-zone"),
    "the slider's track": page.getByTestId("track"),
    "the selected tab": page.getByRole("tab", { selected: true }).first(),
    "the selected mode": page.getByRole("radio", { checked: true }).first(),
    "a chip": chip,
    "the header": page.getByRole("banner"),
    "the panel of the game": page.locator(".rounded-panel:visible").first(),
    "the screen in the navigation": page.locator('nav [aria-current="page"]:visible').first(),
  };
  for (const [name, locator] of Object.entries(edged)) {
    const edge = await locator.evaluate((element) => {
      const { borderTopWidth, borderTopColor, outlineWidth, outlineStyle } = getComputedStyle(element);
      const hasBorder = Number.parseFloat(borderTopWidth) > 0 && !borderTopColor.startsWith("rgba(0, 0, 0, 0");
      return hasBorder || (outlineStyle !== "none" && Number.parseFloat(outlineWidth) > 0);
    });
    expect(edge, name).toBe(true);
  }
  const edgeOf = (selected: boolean) =>
    page
      .getByRole("tab", { selected })
      .first()
      .evaluate((element) => getComputedStyle(element).borderTopWidth);
  expect(await edgeOf(true)).not.toBe(await edgeOf(false));
  await page.screenshot({ path: test.info().outputPath("forced-colours.png") });
  await page.getByRole("button", { name: "Provably fair" }).first().click();
  const outline = await page.getByRole("dialog").evaluate((element) => getComputedStyle(element).outlineStyle);
  expect(outline).toBe("solid");
});
