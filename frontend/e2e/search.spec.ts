import type { Page } from "@playwright/test";
import { expect, expectAccessible, signInAsPlayer, test, toastTitled } from "./support";

const dialog = (page: Page) => page.getByRole("dialog", { name: "Search" });
const field = (page: Page) => dialog(page).getByRole("combobox", { name: "Search" });
const selected = (page: Page) => dialog(page).getByRole("option", { selected: true });

test("the search is used with the keyboard alone", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await page.goto("/dashboard");
  const button = page.getByRole("banner").getByRole("button", { name: "Search" });
  await button.focus();
  await page.keyboard.press("Control+k");
  await expect(field(page)).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.type("stonk");
  await expect(selected(page)).toHaveText("Stonks");
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/stonks$/);
  await expect(dialog(page)).toBeHidden();

  await page.keyboard.press("Control+k");
  await expect(dialog(page).getByRole("group", { name: "Recent" }).getByRole("option")).toHaveText(["Stonks"]);
  await page.keyboard.type("no such game");
  await expect(dialog(page).getByText("Nothing found for “no such game”.")).toBeVisible();
  await expect(field(page)).toHaveAttribute("aria-expanded", "false");
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toBeHidden();

  await page.keyboard.press("Meta+k");
  await page.keyboard.press("ArrowUp");
  await expect(selected(page)).toHaveText("Log out");
  await page.keyboard.press("ArrowDown");
  await expect(selected(page)).toHaveText("Stonks");
  await field(page).fill("top up");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "Deposit", exact: true })).toBeVisible();
  // It does not replace what the player is doing.
  await page.keyboard.press("Control+k");
  await expect(dialog(page)).toBeHidden();
  await expect(page.getByRole("dialog", { name: "Deposit", exact: true })).toBeVisible();
});

test("the focus returns to the button that opened the search", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await page.goto("/history");
  const button = page.getByRole("banner").getByRole("button", { name: "Search" });
  await button.click();
  await expect(field(page)).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(button).toBeFocused();
});

test("the search is in a phone's menu @phone", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await page.goto("/dashboard");
  await page.getByRole("button", { name: "Open menu" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Search" }).click();
  await expect(dialog(page)).toBeVisible();
  await expectAccessible(page);
  await field(page).fill("wallet");
  await selected(page).click();
  await expect(page).toHaveURL(/tab=account$/);
  await expect(page.getByText("Available to withdraw").first()).toBeVisible();
});

test("players do not find the admin panel, administrators do, and both can log out", async ({
  page,
  administrator,
}) => {
  await signInAsPlayer(page, administrator);
  await page.goto("/dashboard");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.keyboard.press("Control+k");
  await field(page).fill("admin");
  await expect(dialog(page).getByText("Nothing found for “admin”.")).toBeVisible();
  await field(page).fill("log out");
  await page.keyboard.press("Enter");
  await expect(toastTitled(page, "Logged Out")).toBeVisible();
  // Visitors have nothing to search.
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});
