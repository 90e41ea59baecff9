import { writeFile } from "node:fs/promises";
import { OwnHouse } from "./own-house";
import { expect, expectAccessible, PASSWORD, test, toastTitled } from "./support";

const NEXT = "# House rules\n\nNo tricks.\n\n- Be fair\n- Be kind\n\n# Privacy Policy\n\nWe keep little.";

async function publish(house: OwnHouse): Promise<void> {
  const file = house.file("terms.txt");
  await writeFile(file, NEXT);
  const { code, text } = await house.command("terms", "publish", file);
  expect(code, text).toBe(0);
}

test("the form to register leads to the terms and keeps what was typed", async ({ page }) => {
  await page.goto("/auth?tab=register");
  await page.getByRole("button", { name: /I understand/ }).click();
  await page.getByLabel("Username").fill("undecided");
  const opened = page.context().waitForEvent("page");
  await page.getByRole("link", { name: "Privacy Policy" }).click();
  const terms = await opened;
  await expect(terms.getByRole("heading", { level: 1 })).toHaveText("Terms of Service");
  await expect(terms.getByRole("heading", { level: 2, name: "Privacy Policy" })).toBeInViewport();
  await expectAccessible(terms);
  await terms.close();
  await expect(page.getByLabel("Username")).toHaveValue("undecided");
  await expect(
    page.getByRole("checkbox", { name: /agree to the Terms of Service and Privacy Policy/ }),
  ).not.toBeChecked();
});

test("a new version is asked for once, and bets wait for it", async ({ page }) => {
  const house = await OwnHouse.open();
  const answer = await page.request.post(`${house.url}/api/register`, {
    data: { username: "lena", password: PASSWORD },
  });
  expect(answer.ok()).toBe(true);
  await page.goto(`${house.url}/terms`);
  await expect(page.getByText(/^You accepted this version on/)).toBeVisible();
  await page.goto(`${house.url}/dice`);
  const banner = page.getByRole("region", { name: "Terms of Service" });
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(banner).toHaveCount(0);

  await publish(house);
  await expect
    .poll(async () => (await (await page.request.get(`${house.url}/api/user`)).json()).mustAcceptTerms)
    .toBe(true);
  // A refused bet shows the banner in a page that was open before; so does a reload.
  await page.reload();
  await expect(banner).toContainText("Until you accept them, you cannot bet or deposit.");
  await expectAccessible(page);
  await banner.getByRole("link", { name: "Read and accept" }).click();
  await expect(page.getByRole("heading", { level: 2, name: "House rules" })).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: "Be kind" })).toBeVisible();
  await expect(page.getByText("Version 2, published on")).toBeVisible();
  await expect(banner).toHaveCount(0);
  await expectAccessible(page);

  const accept = page.getByRole("button", { name: "Accept" });
  await accept.click();
  await expect(page.getByText("Please agree first")).toBeVisible();
  await page.getByRole("checkbox", { name: /I am over 18 and agree/ }).click();
  await accept.click();
  await expect(toastTitled(page, "Terms Accepted")).toBeVisible();
  await expect(page.getByText(/^You accepted this version on/)).toBeVisible();
  await page.goto(`${house.url}/dice`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(banner).toHaveCount(0);
  await house.close(page);
});

test("terms that changed while they were read are shown again", async ({ page }) => {
  const house = await OwnHouse.open();
  const answer = await page.request.post(`${house.url}/api/register`, {
    data: { username: "slow", password: PASSWORD },
  });
  expect(answer.ok()).toBe(true);
  await publish(house);
  await expect
    .poll(async () => (await (await page.request.get(`${house.url}/api/user`)).json()).mustAcceptTerms)
    .toBe(true);
  await page.goto(`${house.url}/terms`);
  await page.getByRole("checkbox", { name: /I am over 18 and agree/ }).click();
  await publish(house);
  await page.getByRole("button", { name: "Accept" }).click();
  await expect(toastTitled(page, "Terms Not Accepted")).toBeVisible();
  await expect(page.getByText("Version 3, published on")).toBeVisible();
  await expect(page.getByRole("checkbox", { name: /I am over 18 and agree/ })).not.toBeChecked();
  await house.close(page);
});
