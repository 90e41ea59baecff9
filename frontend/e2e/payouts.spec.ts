import { request } from "@playwright/test";
import { BTC_ADDRESS, openPanel, refreshUntil, requestWithdrawal, rowOf, test as adminTest } from "./admin-support";
import { colleague, post, takeOver } from "./colleagues";
import { OwnHouse } from "./own-house";
import { expect, expectAccessible, PASSWORD, test, toastTitled } from "./support";

// Withdrawals from the request to their arrival: paid by the provider, and by hand by two people.

const TRANSACTION = "4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b";

adminTest("the provider pays an approved withdrawal, and its player sees what arrived", async ({ page, newPlayer }) => {
  const player = await newPlayer();
  await requestWithdrawal(player, "50.00");
  await openPanel(page, `?tab=withdrawals&sort=risk&search=${player.username}`);
  const row = rowOf(page, "Withdrawal requests", player.username);
  await expect(row).toContainText(/Risk \d+: .*no deposit/);
  const table = page.getByRole("table", { name: "Withdrawal requests" });
  await row.getByRole("button", { name: /^Details of request/ }).click();
  await expect(table).toContainText("Deposited $0.00, wagered $0.00, profit $0.00");
  await expectAccessible(page);
  await row.getByRole("button", { name: "Approve" }).click();
  const dialog = page.getByRole("dialog", { name: "Approve Withdrawal" });
  await expect(dialog).toContainText("The provider then pays it.");
  await dialog.getByRole("button", { name: "Approve Withdrawal" }).click();
  await expect(toastTitled(page, "Success")).toContainText("Withdrawal request processed successfully");
  await page.goto(`/admin?tab=withdrawals&status=confirmed&search=${player.username}`);
  await refreshUntil(page, row, "Arrived");
  await expect(row).toContainText("By the provider");
  await row.getByRole("button", { name: /^Details of request/ }).click();
  await expect(table).toContainText("0.00055 BTC, network fee");
  await expectAccessible(page);

  await page.context().clearCookies();
  await page.context().addCookies((await player.calls.storageState()).cookies);
  await page.goto("/dashboard?tab=account");
  const list = page.getByRole("table", { name: "Withdrawals" });
  await expect(list).toContainText("Paid");
  await expect(list).toContainText("0.00055 BTC");
  await expectAccessible(page);
});

test("two people pay a withdrawal by hand, and return one that failed", async ({ page }) => {
  const house = await OwnHouse.open({ GLASSHOUSE_PROVIDER_PAYOUTS: "off", GLASSHOUSE_WITHDRAWAL_DELAY_HOURS: "0" });
  try {
    const player = await request.newContext({ baseURL: house.url });
    const { id: playerId } = await post<{ id: number }>(player, "/api/register", {
      username: "lena",
      password: PASSWORD,
    });
    const owner = await house.administrator();
    const cashier = await colleague(house, "cashier");
    await house.command("admin", "thresholds", "--adjustment", "900");
    await post(owner, `/api/admin/users/${playerId}/balance`, { balance: "900.00", reason: "A jackpot" });
    await house.command("admin", "thresholds", "--adjustment", "100");
    for (const amount of ["40.00", "150.00"])
      await post(player, "/api/withdraw-requests", { amount, currency: "btc", walletAddress: BTC_ADDRESS });

    // The cashier approves both, the larger one first.
    await takeOver(page, cashier);
    await page.goto(`${house.url}/admin?tab=withdrawals&sort=amount`);
    const table = page.getByRole("table", { name: "Withdrawal requests" });
    await expect(table.getByRole("row")).toContainText([/ID/, /\$150\.00/, /\$40\.00/]);
    for (const id of [2, 1]) {
      await page.getByRole("button", { name: `Approve request ${id} of lena` }).click();
      const dialog = page.getByRole("dialog", { name: "Approve Withdrawal" });
      await expect(dialog).toContainText("Then send the coins from your wallet and mark it as sent.");
      await dialog.getByRole("button", { name: "Approve Withdrawal" }).click();
      await expect(dialog).toHaveCount(0);
    }
    await page.getByRole("combobox", { name: "Status" }).selectOption("To pay");
    await expect(table.getByText("By hand")).toHaveCount(2);
    await expectAccessible(page);

    // One is sent: what is entered wrongly is said next to its field.
    await page.getByRole("button", { name: "Mark as Sent: request 1 of lena" }).click();
    const sent = page.getByRole("dialog", { name: "Mark as Sent" });
    await sent.getByLabel("Transaction ID").fill("short");
    await sent.getByRole("button", { name: "Mark as Sent" }).click();
    await expect(sent).toContainText("Please enter the transaction ID: 10 to 128 letters and digits");
    await expect(sent).toContainText("Please enter the amount in the coin");
    await expectAccessible(page);
    await sent.getByLabel("Transaction ID").fill(TRANSACTION);
    await sent.getByLabel("Amount sent").fill("0.00044");
    await sent.getByRole("button", { name: "Mark as Sent" }).click();
    await expect(toastTitled(page, "Success")).toContainText("Recorded as sent");
    await page.getByRole("button", { name: "Mark as Arrived: request 1 of lena" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Mark as Arrived" }).click();
    await expect(toastTitled(page, "Success")).toContainText("Recorded as arrived");
    await page.getByRole("button", { name: "Details of request 1 of lena" }).click();
    await expect(table.getByRole("link", { name: "View transaction of request 1" })).toHaveAttribute(
      "href",
      `https://mempool.space/tx/${TRANSACTION}`,
    );

    // The other one fails, and the cashier cannot return it as well.
    await page.getByRole("button", { name: "Mark as Failed: request 2 of lena" }).click();
    const failed = page.getByRole("dialog", { name: "Mark as Failed" });
    await failed.getByLabel("Reason").fill("The wallet is empty");
    await failed.getByRole("button", { name: "Mark as Failed" }).click();
    await expect(toastTitled(page, "Success")).toContainText("Recorded as failed");
    const refused = await cashier.post("/api/admin/withdraw-requests/2/payout", { data: { action: "returned" } });
    expect(refused.status()).toBe(403);
    await takeOver(page, owner);
    await page.goto(`${house.url}/admin?tab=withdrawals&status=failed`);
    await expect(table).toContainText("The wallet is empty");
    await page.getByRole("button", { name: "Return Amount: request 2 of lena" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Return Amount" }).click();
    await expect(toastTitled(page, "Success")).toContainText("The amount was returned");

    await takeOver(page, player);
    await page.goto(`${house.url}/dashboard?tab=account`);
    const list = page.getByRole("table", { name: "Withdrawals" });
    await expect(list.getByText("It could not be paid. The amount is back in your balance.")).toBeVisible();
    await expect(list.getByRole("link", { name: "View transaction" })).toBeVisible();
    expect(((await (await player.get("/api/user")).json()) as { balance: string }).balance).toBe("860.00");
    await expectAccessible(page);
    for (const calls of [player, owner, cashier]) await calls.dispose();
  } finally {
    await house.close(page);
  }
});
