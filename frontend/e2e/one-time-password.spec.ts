import { OwnHouse } from "./own-house";
import { expect, expectAccessible, PASSWORD, test, toastTitled } from "./support";

const NEW_PASSWORD = "qu1et-harbour-9";

/** A house whose operator has reset the password of lena, and the one-time password. */
async function houseWithReset(): Promise<{ house: OwnHouse; oneTime: string }> {
  const house = await OwnHouse.open();
  const answer = await fetch(`${house.url}/api/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: "lena", password: PASSWORD }),
  });
  expect(answer.ok).toBe(true);
  const { code, text } = await house.command("admin", "reset", "lena");
  expect(code, text).toBe(0);
  const oneTime = /valid for 72 hours: (\S+)/.exec(text)?.[1] ?? "";
  return { house, oneTime };
}

test("somebody with a one-time password chooses another before anything else", async ({ page }) => {
  const { house, oneTime } = await houseWithReset();
  const refused: string[] = [];
  page.on("response", (response) => void (response.status() >= 400 && refused.push(response.url())));
  await page.goto(`${house.url}/auth`);
  await page.getByLabel("Username").fill("lena");
  await page.getByLabel("Password", { exact: true }).fill(oneTime);
  await page.getByLabel("Password", { exact: true }).press("Enter");
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toHaveText("Choose a Password");
  await expectAccessible(page);

  // No address leads around it, and nothing is requested that would be refused.
  for (const path of ["/dice", "/settings?tab=security", "/nonsense"]) {
    await page.goto(`${house.url}${path}`);
    await expect(heading).toHaveText("Choose a Password");
    await expect(page.getByRole("navigation")).toHaveCount(0);
  }
  expect(refused.filter((url) => url.includes("/api/"))).toEqual([]);

  const current = page.getByLabel("One-time password", { exact: true });
  const next = page.getByLabel("New password", { exact: true });
  await current.fill(oneTime);
  await next.fill(oneTime);
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(next).toHaveAccessibleDescription(/same as the current one/);
  await next.fill(NEW_PASSWORD);
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(toastTitled(page, "Password Changed")).toBeVisible();
  await expect(heading).not.toHaveText("Choose a Password");
  await page.goto(`${house.url}/settings?tab=security`);
  await expect(page.getByRole("list", { name: "Security events, newest first" })).toContainText("one-time password");
  await house.close(page);
});

test("somebody with a one-time password can leave without choosing", async ({ page }) => {
  const { house, oneTime } = await houseWithReset();
  await page.goto(`${house.url}/auth`);
  await page.getByLabel("Username").fill("lena");
  await page.getByLabel("Password", { exact: true }).fill(oneTime);
  await page.getByLabel("Password", { exact: true }).press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Choose a Password");
  await page.getByRole("button", { name: "Log out" }).click();
  await expect(page).toHaveURL(`${house.url}/`);
  await page.goto(`${house.url}/dice`);
  await expect(page).toHaveURL(/\/auth$/);
  await house.close(page);
});
