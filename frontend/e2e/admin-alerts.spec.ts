import { type Page, request } from "@playwright/test";
import { rowOf } from "./admin-support";
import { post, takeOver } from "./colleagues";
import { OwnHouse } from "./own-house";
import { expect, expectAccessible, PASSWORD, setBalance, test } from "./support";

// What the house has alerted to, in the panel: with what became of the messages, and who takes care of it.

/** Mails are delivered, and nobody answers at the webhook's address. */
const SETTINGS = {
  GLASSHOUSE_ALERT_LARGE_WIN: "100.00",
  GLASSHOUSE_ALERT_MAIL: "ops@example.com",
  GLASSHOUSE_ALERT_WEBHOOK_URL: "http://127.0.0.1:9/hook",
  GLASSHOUSE_ALERT_WEBHOOK_SECRET: "a-secret-of-the-operator",
};
const BET = { betAmount: "200.00", targetNumber: 50, betType: "over" };
const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** A player who has won 196 dollars with one round, whose ID is returned. */
async function winMuch(house: OwnHouse): Promise<number> {
  const most = "1000000.00";
  const lifted = ["--adjustment", most, "--person-per-day", most, "--house-per-day", most];
  const { code, text } = await house.command("admin", "thresholds", ...lifted);
  expect(code, text).toBe(0);
  const player = await request.newContext({ baseURL: house.url });
  const { id } = await post<{ id: number }>(player, "/api/register", { username: "lena", password: PASSWORD });
  const owner = await house.administrator();
  await setBalance(owner, id, "9000.00");
  await owner.dispose();
  for (;;) {
    const round = await post<{ roundId: number; winAmount: string }>(player, "/api/dice/play", BET);
    if (round.winAmount === "0.00") continue;
    await player.dispose();
    return round.roundId;
  }
}

type Told = { deliveries: { state: string; problem: string | null }[] };

test("alerts are shown with what became of them, and acknowledged @both", async ({ page, isMobile }, info) => {
  await page.setViewportSize(isMobile ? { width: 390, height: 844 } : { width: 1440, height: 900 });
  const house = await OwnHouse.open(SETTINGS);
  try {
    const roundId = await winMuch(house);
    // The webhook does not get it, which the command says as well.
    expect((await house.command("alerts", "test")).text).toContain("ops@example.com");
    const calls = await house.administrator();
    // The list is not read again when only a delivery changes.
    const isTold = async () => {
      const alerts = (await (await calls.get("/api/admin/alerts?kind=large_win")).json()) as Told[];
      const deliveries = alerts.flatMap((alert) => alert.deliveries);
      return (
        deliveries.some(({ state }) => state === "delivered") && deliveries.some(({ problem }) => problem !== null)
      );
    };
    await expect.poll(isTold).toBe(true);
    await takeOver(page, calls);
    await page.goto(`${house.url}/admin`);
    const tab = page.getByRole("tab", { name: /^Alerts/ });
    await expect(tab).toContainText("2 waiting");
    await tab.click();
    await expect(page).toHaveURL(/tab=alerts/);
    const [win, trial] = [rowOf(page, "Alerts", "Large win"), rowOf(page, "Alerts", "This is a test")];
    await expect(win).toContainText(`won $196.00 in round ${roundId} of dice`);
    await win.getByRole("button", { name: /^Details/ }).click();
    await expect(page.getByText(/^delivered .*20\d\d/)).toBeVisible();
    await expect(page.getByText(/^waiting; attempt \d: /)).toBeVisible();
    await expect(page.getByRole("link", { name: `Round ${roundId}` }).last()).toHaveAttribute(
      "href",
      `/admin/rounds/${roundId}`,
    );
    await expectAccessible(page);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    await page.screenshot({ path: info.outputPath("alerts.png"), fullPage: true });

    await win.getByRole("button", { name: "Acknowledge alert" }).click();
    await expect(win).toContainText("admin");
    await expect(tab).toContainText("1 waiting");
    await page.getByRole("button", { name: "Select all shown" }).click();
    await expect(page.getByRole("region", { name: "Selected alerts" })).toContainText("1 alert selected");
    await page.screenshot({ path: info.outputPath("selected.png"), fullPage: true });
    await page.getByRole("button", { name: "Acknowledge selected" }).click();
    await expect(trial).toContainText("admin");
    await expect(tab).not.toContainText("waiting");
    await page.reload();
    await expect(page.getByText("Nothing waits to be acknowledged")).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Show all alerts" }).click();
    await expect(page.getByRole("table", { name: "Alerts" }).getByRole("row")).toHaveCount(3);
    await page.screenshot({ path: info.outputPath("acknowledged.png"), fullPage: true });
  } finally {
    await house.close(page);
  }
});
