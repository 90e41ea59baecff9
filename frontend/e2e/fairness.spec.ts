import type { Page } from "@playwright/test";
import { expect, expectAccessible, newName, PASSWORD, setBalance, signInAsPlayer, test } from "./support";

const SEED_CALLS = /\/api\/(fairness\/client-seed|dice\/play)$/;

/** Registers as a visitor does, and returns the player's ID. */
async function register(page: Page): Promise<number> {
  await page.goto("/auth");
  await page.getByRole("tab", { name: "Register" }).click();
  await page.getByRole("button", { name: /I understand/ }).click();
  await expect(page.getByLabel("Confirm password")).toBeVisible();
  await page.getByLabel("Username").fill(newName());
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Confirm password").fill(PASSWORD);
  await page.getByRole("checkbox").click();
  await page.getByRole("button", { name: "Create Account" }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  const user = (await (await page.context().request.get("/api/user")).json()) as { id: number };
  return user.id;
}

async function openSeeds(page: Page) {
  await page.getByRole("button", { name: "Provably fair" }).click();
  const dialog = page.getByRole("dialog", { name: "Provably fair" });
  await expect(dialog.getByText("Next server seed hash")).toBeVisible();
  return dialog;
}

const roll = (page: Page) => page.getByRole("button", { name: /^Roll for/ }).locator("visible=true");

test("the browser chooses a new player's client seed before the first bet", async ({ page, administrator }) => {
  const calls: string[] = [];
  const chosen: string[] = [];
  page.on("request", (request) => {
    if (!SEED_CALLS.test(request.url())) return;
    calls.push(request.method());
    if (request.method() === "PUT") chosen.push((request.postDataJSON() as { clientSeed: string }).clientSeed);
  });
  // Leaving the dashboard in the middle of the call would hide it from this test.
  const replaced = page.waitForResponse(/\/api\/fairness\/client-seed$/);
  const id = await register(page);
  await replaced;
  await setBalance(administrator, id, "100.00");
  await page.goto("/dice");
  await roll(page).click();
  await expect(page.getByRole("listitem").filter({ hasText: /You Won!|You Lost/ })).toBeVisible();
  expect(calls).toEqual(["PUT", "POST"]);
  expect(chosen).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)]);
  const dialog = await openSeeds(page);
  await expect(dialog.getByText(chosen[0] ?? "")).toBeVisible();
  await expect(dialog.getByText("Chosen by you or your browser.")).toBeVisible();
});

test("one button reveals the seeds and proves every round", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await page.goto("/dice");
  for (const rolled of ["1", "2"]) {
    await roll(page).click();
    await expect(page.getByRole("table", { name: /^Your last bets/ }).getByRole("row")).toHaveCount(Number(rolled) + 1);
    await expect(roll(page)).toBeEnabled();
  }
  const dialog = await openSeeds(page);
  const next = await dialog
    .getByText(/^[0-9a-f]{64}$/)
    .last()
    .textContent();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Prove everything" }).click();
  await expect(dialog.getByText("Everything holds: 2 rounds are exactly what the seeds give.")).toBeVisible();
  await expect(dialog.getByText("The new pair uses the server seed that was fixed before.")).toBeVisible();
  await expect(dialog.getByText(next ?? "")).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("tab", { name: "Pairs" }).click();
  await expect(dialog.getByText("2 rounds", { exact: true })).toBeVisible();
  await expectAccessible(page);
});

test("a change of what was committed to is shown on every screen", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await page.goto("/dice");
  // The page has then seen the real hash, and asks again when the seeds are opened.
  await expect(page.getByTestId("watermark")).toBeAttached();
  await page.route("**/api/fairness", async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ json: { ...((await answer.json()) as object), nextServerSeedHash: "2".repeat(64) } });
  });
  await openSeeds(page);
  await page.keyboard.press("Escape");
  const alert = page.getByRole("alert").filter({ hasText: "another hash for your next server seed" });
  await expect(alert).toBeVisible();
  await page.goto("/history");
  await expect(alert).toBeVisible();
  await expectAccessible(page);
  await expect(alert.getByRole("button", { name: "Close" })).toBeHidden();
  const download = page.waitForEvent("download");
  await alert.getByRole("button", { name: "Save evidence" }).click();
  expect((await download).suggestedFilename()).toBe("glasshouse-evidence.json");
  await alert.getByRole("button", { name: "Close" }).click();
  await expect(alert).toBeHidden();
});
