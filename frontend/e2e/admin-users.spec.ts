import type { ErrorBody } from "@/api/error";
import { balanceOf, expect, openPanel, openPanelApart, rowOf, test, toastTitled } from "./admin-support";
import { ADMINISTRATOR, administratorSecret } from "./administrator";
import { enterCode } from "./authenticator";
import { clickTwice, expectAccessible, PASSWORD, setBalance } from "./support";

// What administrators decide about users, and how the audit log and the CSV exports record it.

test("a banned user is signed out at once with the reason, and can be unbanned", async ({
  page,
  newPlayer,
  browser,
  baseURL,
}) => {
  const player = await newPlayer();
  const { calls, username } = player;
  await openPanel(page, `?tab=users&search=${username}`);
  const row = rowOf(page, "Users", username);
  await row.getByRole("button", { name: "Ban" }).click();
  const dialog = page.getByRole("dialog", { name: "Ban User" });
  await dialog.getByRole("button", { name: `Ban ${username}` }).click();
  await expect(toastTitled(page, "Error")).toContainText("Ban reason is required");
  await expect(dialog.getByLabel("Ban Reason")).toHaveAttribute("aria-invalid", "true");
  await expectAccessible(page);
  await dialog.getByLabel("Ban Reason").fill("  Several accounts  ");
  let sent = 0;
  page.on("request", (request) => void (request.url().endsWith("/status") && (sent += 1)));
  await clickTwice(dialog.getByRole("button", { name: `Ban ${username}` }));
  await expect(toastTitled(page, "Success")).toContainText("User status updated successfully");
  expect(sent).toBe(1);
  await expect(row).toContainText("Banned");
  await expect(row).toContainText("Several accounts");
  await expect(row.getByRole("button", { name: "Ban", exact: true })).toHaveCount(0);
  expect((await calls.get("/api/user")).status()).toBe(403);
  const visitor = await browser.newPage({ baseURL: baseURL ?? "" });
  await visitor.goto("/auth");
  await visitor.getByLabel("Username").fill(username);
  await visitor.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await visitor.keyboard.press("Enter");
  await expect(toastTitled(visitor, "Account Banned")).toContainText("Several accounts");
  await visitor.close();

  await row.getByRole("button", { name: "Unban" }).click();
  await expectAccessible(page);
  await page
    .getByRole("dialog", { name: "Unban User" })
    .getByRole("button", { name: `Unban ${username}` })
    .click();
  await expect(row).toContainText("Active");
  expect((await calls.post("/api/login", { data: { username, password: PASSWORD } })).ok()).toBe(true);
});

test("administrators cannot be banned", async ({ page }) => {
  await openPanel(page, `?tab=users&search=${ADMINISTRATOR.username}`);
  const row = rowOf(page, "Users", ADMINISTRATOR.username).filter({ hasText: "Admin" }).first();
  await expect(row.getByRole("button", { name: "Adjust Balance" })).toBeVisible();
  await expect(row.getByRole("button", { name: /^(Ban|Unban)/ })).toHaveCount(0);
});

test("setting a balance asks for the second factor again", async ({ page, newPlayer }) => {
  const player = await newPlayer("10.00");
  await openPanel(page, `?tab=users&search=${player.username}`);
  const keys: (string | undefined)[] = [];
  // The administrator has only just signed in, so two step-up refusals are simulated.
  await page.route("**/api/admin/users/*/balance", async (route) => {
    keys.push(route.request().headers()["idempotency-key"]);
    if (keys.length > 2) return route.continue();
    return route.fulfill({
      status: 403,
      json: { code: "step_up_required", message: "Please confirm that it is you to continue." } satisfies ErrorBody,
    });
  });
  const row = rowOf(page, "Users", player.username);
  await row.getByRole("button", { name: "Adjust Balance" }).click();
  const dialog = page.getByRole("dialog", { name: "Adjust Balance" });
  for (const text of ["", "-1", "1e3", "1,000", "abc"]) {
    await dialog.getByLabel("New Balance ($)").fill(text);
    await dialog.getByRole("button", { name: "Set Balance" }).click();
    await expect(toastTitled(page, "Error")).toContainText("Please enter a valid balance (numeric value >= 0)");
  }
  await dialog.getByLabel("New Balance ($)").fill("321.09");
  await dialog.getByRole("button", { name: "Set to $321.09" }).click();
  await expect(toastTitled(page, "Error")).toContainText("A reason is required");
  await expect(dialog.getByLabel("Reason")).toBeFocused();
  await dialog.getByLabel("Reason").fill("A lost round");
  await expect(dialog).toContainText("$10.00 → becomes $321.09 (+$311.09)");
  await expectAccessible(page);

  await dialog.getByRole("button", { name: "Set to $321.09" }).click();
  const confirmation = page.getByRole("dialog", { name: "Confirm your identity" });
  await expectAccessible(page);
  await confirmation.getByRole("button", { name: "Cancel" }).click();
  expect(await balanceOf(player)).toBe("10.00");

  await dialog.getByRole("button", { name: "Set to $321.09" }).click();
  await confirmation.getByLabel("Code").fill("not a code");
  await page.keyboard.press("Enter");
  await expect(confirmation).toContainText("This code is wrong");
  await enterCode(confirmation, await administratorSecret());
  await expect(toastTitled(page, "Success")).toContainText("User balance updated successfully");
  await expect(row).toContainText("$321.09");
  expect(await balanceOf(player)).toBe("321.09");
  expect(keys).toHaveLength(3);
  expect(keys[2]).toBe(keys[1]);
  expect(keys[1]).toBeTruthy();

  await page.goto(`/admin?tab=logs&search=${player.username}`);
  const log = rowOf(page, "Admin logs", "10.00 → 321.09");
  for (const text of [
    `${ADMINISTRATOR.username} #`,
    "Balance override",
    `${player.username} #${player.id}`,
    "from 127.0.0.1",
  ])
    await expect(log).toContainText(text);
  const [{ hash }] = (await (await page.context().request.get(`/api/admin/logs?search=${player.username}`)).json()) as [
    { hash: string },
  ];
  expect(hash).toMatch(/^[\da-f]{64}$/);
  await log.getByRole("button", { name: /^Details of log/ }).click();
  await expect(page.getByRole("table", { name: "Admin logs" }).locator("code")).toHaveText(hash);
});

test("a balance changed by another session is shown before it can be overwritten", async ({
  page,
  newPlayer,
  administrator,
}) => {
  const player = await newPlayer("10.00");
  await openPanel(page, `?tab=users&search=${player.username}`);
  const sent: { key: string | undefined; body: unknown }[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/balance"))
      sent.push({ key: request.headers()["idempotency-key"], body: request.postDataJSON() });
  });
  await rowOf(page, "Users", player.username).getByRole("button", { name: "Adjust Balance" }).click();
  const dialog = page.getByRole("dialog", { name: "Adjust Balance" });
  await dialog.getByLabel("New Balance ($)").fill("30");
  await dialog.getByLabel("Reason").fill("A lost round");
  await expect(dialog).toContainText("$10.00 → becomes $30.00 (+$20.00)");
  await setBalance(administrator, player.id, "70.00");

  await dialog.getByRole("button", { name: "Set to $30.00" }).click();
  await expect(toastTitled(page, "Error")).toContainText(
    "The balance has changed and is now 70.00. Please check it and try again.",
  );
  await expect(dialog).toContainText("$70.00 → becomes $30.00 (−$40.00)");
  await expect(dialog.getByLabel("New Balance ($)")).toHaveValue("30");
  await expect(dialog.getByLabel("New Balance ($)")).toBeFocused();
  await expectAccessible(page);
  expect(await balanceOf(player)).toBe("70.00");
  await expect(page.locator("tr", { hasText: player.username })).toContainText("$70.00");

  await dialog.getByRole("button", { name: "Set to $30.00" }).click();
  await expect(toastTitled(page, "Success")).toContainText("User balance updated successfully");
  await expect(dialog).toHaveCount(0);
  expect(await balanceOf(player)).toBe("30.00");
  expect(sent.map(({ body }) => body)).toEqual([
    { balance: "30.00", expectedBalance: "10.00", reason: "A lost round" },
    { balance: "30.00", expectedBalance: "70.00", reason: "A lost round" },
  ]);
  expect(sent[1]?.key).not.toBe(sent[0]?.key);
});

test("ten wrong codes end the session", async ({ page, newPlayer }) => {
  const player = await newPlayer();
  await openPanelApart(page, `?tab=users&search=${player.username}`);
  await page.route("**/api/admin/users/*/balance", (route) =>
    route.fulfill({
      status: 403,
      json: { code: "step_up_required", message: "Please confirm that it is you to continue." } satisfies ErrorBody,
    }),
  );
  await rowOf(page, "Users", player.username).getByRole("button", { name: "Adjust Balance" }).click();
  const dialog = page.getByRole("dialog", { name: "Adjust Balance" });
  await dialog.getByLabel("New Balance ($)").fill("1.00");
  await dialog.getByLabel("Reason").fill("A lost round");
  await dialog.getByRole("button", { name: "Set to $1.00" }).click();
  const confirmation = page.getByRole("dialog", { name: "Confirm your identity" });
  const code = confirmation.getByLabel("Code");
  for (let attempt = 1; attempt < 10; attempt += 1) {
    await code.fill("not a code");
    await page.keyboard.press("Enter");
    await expect(code).toHaveValue("");
    await expect(confirmation.getByRole("button", { name: "Continue" })).toBeEnabled();
  }
  await expect(confirmation).toContainText("This code is wrong");
  const tenth = page.waitForResponse("**/api/account/step-up");
  await code.fill("not a code");
  await page.keyboard.press("Enter");
  await tenth;
  expect((await page.context().request.get("/api/user")).status()).toBe(401);
  // Whatever is sent next is told: another code, or the panel's own question for pending work.
  await expect(async () => {
    if (await code.isVisible()) {
      await code.fill("still not a code", { timeout: 1_000 });
      await page.keyboard.press("Enter");
    }
    await expect(page.getByRole("heading", { name: "Session Lost" })).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await expect(toastTitled(page, "Session Lost")).toContainText("Please log in again.");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  expect(await balanceOf(player)).toBe("100.00");
});

test("a lost response is retried, and the balance is set once", async ({ page, newPlayer }) => {
  const player = await newPlayer("10.00");
  await openPanel(page, `?tab=users&search=${player.username}`);
  const keys: (string | undefined)[] = [];
  await page.route("**/api/admin/users/*/balance", async (route) => {
    keys.push(route.request().headers()["idempotency-key"]);
    if (keys.length > 1) return route.continue();
    await route.fetch();
    return route.abort("connectionreset");
  });
  await rowOf(page, "Users", player.username).getByRole("button", { name: "Adjust Balance" }).click();
  const dialog = page.getByRole("dialog", { name: "Adjust Balance" });
  await dialog.getByLabel("New Balance ($)").fill("12.5");
  await dialog.getByLabel("Reason").fill("A lost round");
  await dialog.getByRole("button", { name: "Set to $12.50" }).click();
  await expect(toastTitled(page, "Success")).toContainText("User balance updated successfully");
  expect(new Set(keys).size).toBe(1);
  expect(await balanceOf(player)).toBe("12.50");
  const logs = (await (await page.context().request.get(`/api/admin/logs?search=${player.username}`)).json()) as {
    action: string;
  }[];
  // The first adjustment is the initial ten dollars.
  expect(logs.filter(({ action }) => action === "balance_override")).toHaveLength(2);
});

test("the CSV export contains the filtered list, and no cell is a formula", async ({
  page,
  newPlayer,
  administrator,
}) => {
  const { id, username } = await newPlayer();
  const banned = await administrator.post(`/api/admin/users/${id}/status`, {
    data: { status: "banned", banReason: '=HYPERLINK("http://example.com")' },
  });
  expect(banned.ok()).toBe(true);
  await openPanel(page, `?tab=users&search=${username}`);
  await expect(rowOf(page, "Users", username)).toContainText("=HYPERLINK");
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export CSV of users" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/users.*\.csv$/);
  let text = "";
  for await (const chunk of await file.createReadStream()) text += String(chunk);
  expect(text).toContain(username);
  expect(text.trim().split("\n")).toHaveLength(2);
  expect(text).toContain("'=HYPERLINK");
  expect(text).not.toMatch(/(^|,)"?=/m);
});
