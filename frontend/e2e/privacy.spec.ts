import { readFile } from "node:fs/promises";
import { elsewhere, panel } from "./settings-support";
import {
  clickTwice,
  expect,
  expectAccessible,
  PASSWORD,
  signInAsPlayer,
  test,
  toastsReady,
  toastTitled,
} from "./support";

test("everything that is stored can be downloaded with the password", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await page.goto("/settings?tab=privacy");
  const data = panel(page, "Your data");
  const password = data.getByLabel("Password to download your data", { exact: true });
  const submit = data.getByRole("button", { name: "Download your data", exact: true });
  await submit.click();
  await expect(data.getByText("Please enter your password")).toBeVisible();
  await password.fill("not-my-password");
  await submit.click();
  await expect(data.getByText("Incorrect password. Please try again.")).toBeVisible();
  await expect(password).toHaveValue("");
  await expectAccessible(page);

  let sent = 0;
  page.on("request", (request) => void (request.url().endsWith("/api/account/export") && (sent += 1)));
  await password.fill(PASSWORD);
  const download = page.waitForEvent("download");
  await clickTwice(submit);
  const file = await download;
  expect(file.suggestedFilename()).toBe("glasshouse-data.zip");
  await expect(toastTitled(page, "Data Downloaded")).toBeVisible();
  expect(sent).toBe(1);
  const bytes = await readFile(await file.path());
  // A zip file names its files at its end, in plain text.
  expect(bytes.subarray(0, 4).toString("latin1")).toBe("PK\x03\x04");
  for (const name of ["README.txt", "profile.json", "ledger.csv", "rounds.csv"]) {
    expect(bytes.includes(name), name).toBe(true);
  }
  await page.goto("/settings?tab=security");
  await expect(panel(page, "Security events")).toContainText(
    "Everything that is stored about the account was downloaded",
  );
});

test("an account is closed after saying what happens", async ({ page, browser, administrator }) => {
  const username = await signInAsPlayer(page, administrator, "7.35");
  const other = await elsewhere(browser, username);
  await page.goto("/settings?tab=privacy");
  await toastsReady(page);
  await page.getByRole("button", { name: "Close your account" }).click();
  const dialog = page.getByRole("dialog", { name: "Close your account?" });
  await expect(dialog).toContainText("A self-exclusion stays in force");
  await expectAccessible(page);
  const password = dialog.getByLabel("Your password", { exact: true });
  const submit = dialog.getByRole("button", { name: "Close account" });
  await submit.click();
  await expect(dialog.getByText("Please enter your password")).toBeVisible();
  await expect(dialog.getByText("Please confirm that you give up your balance")).toBeVisible();
  await dialog.getByRole("checkbox").click();
  await password.fill("not-my-password");
  await submit.click();
  await expect(dialog.getByText("Incorrect password. Please try again.")).toBeVisible();
  await expect(password).toHaveValue("");
  await expectAccessible(page);

  let sent = 0;
  page.on("request", (request) => void (request.url().endsWith("/api/account/closure") && (sent += 1)));
  await password.fill(PASSWORD);
  await clickTwice(submit);
  await expect(toastTitled(page, "Account Closed")).toBeVisible();
  await expect(page).toHaveURL(/\/$/);
  await expect(dialog).toBeHidden();
  expect(sent).toBe(1);
  await expectAccessible(page);

  await other.page.goto("/settings");
  await expect(other.page).toHaveURL(/\/auth$/);
  await other.close();
  await page.goto("/auth");
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Password", { exact: true }).press("Enter");
  await expect(toastTitled(page, "Account Closed")).toContainText("This account is closed.");
});

test("an account with a balance says what to do first", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator, "50.00");
  await page.goto("/settings?tab=privacy");
  await page.getByRole("button", { name: "Close your account" }).click();
  const dialog = page.getByRole("dialog", { name: "Close your account?" });
  await expect(dialog.getByRole("checkbox")).toHaveCount(0);
  await dialog.getByLabel("Your password", { exact: true }).fill(PASSWORD);
  await dialog.getByRole("button", { name: "Close account" }).click();
  await expect(dialog.getByRole("alert")).toHaveText("Your balance is $50.00. Please withdraw it first.");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("button", { name: "Close your account" })).toBeFocused();
});
