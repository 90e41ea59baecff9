import { BTC_ADDRESS, expect, openPanel, requestWithdrawal, rowOf, test, toastTitled } from "./admin-support";
import { expectAccessible } from "./support";

// The page of one player in the panel.

test("a user's name leads to the page of exactly this player, with everything that happened @both", async ({
  page,
  newPlayer,
}) => {
  const player = await newPlayer("100.00");
  const { calls, id, username } = player;
  const bet = { betAmount: "1.00", targetNumber: 50, betType: "over" };
  for (let round = 0; round < 3; round += 1)
    expect((await calls.post("/api/dice/play", { data: bet })).ok()).toBe(true);
  await calls.post("/api/deposits/create", { data: { amount: "30.00", cryptoCurrency: "btc" } });
  await calls.put("/api/limits/stake/day", { data: { value: "50.00" } });
  const request = await requestWithdrawal(player, "20.00");

  await openPanel(page, `?tab=users&search=${username}`);
  await rowOf(page, "Users", username).getByRole("link", { name: username }).click();
  await expect(page).toHaveURL(new RegExp(`/admin/players/${id}$`));
  await expect(page.getByRole("heading", { name: username })).toBeVisible();
  await expect(page.getByText(`Player #${id}`)).toBeVisible();
  const timeline = page.getByRole("list", { name: `Timeline of ${username}` });
  const entries = timeline.getByRole("listitem");
  for (const text of [
    "Dice: $1.00 staked",
    "Deposit of $30.00 in BTC requested",
    `Request ${request} · now pending · to ${BTC_ADDRESS}`,
    "Held for a withdrawal",
    "Balance adjusted",
    "Stake limit a day set to $50.00",
    "Signed in",
  ])
    await expect(entries.filter({ hasText: text }).first()).toBeVisible();
  // Each time has its zone.
  await expect(entries.first().getByRole("time")).toContainText(/UTC|GMT|[A-Z]{3,4}/);
  await expect(page.getByRole("link", { name: "1 · $20.00" })).toBeVisible();
  await expect(page.getByText("Stake limit a day: $50.00")).toBeVisible();
  await expectAccessible(page);

  await page.getByRole("combobox", { name: "Kind" }).selectOption("round");
  await expect(page).toHaveURL(/kind=round/);
  await expect(entries).toHaveCount(3);
  await page.reload();
  await expect(entries).toHaveCount(3);
});

test("what is done on the page is on its timeline at once", async ({ page, newPlayer }) => {
  const { id, username } = await newPlayer("10.00");
  await openPanel(page);
  await page.goto(`/admin/players/${id}`);
  await page.getByRole("button", { name: `Ban ${username}` }).click();
  const dialog = page.getByRole("dialog", { name: "Ban User" });
  await dialog.getByLabel("Ban Reason").fill("Several accounts");
  await dialog.getByRole("button", { name: `Ban ${username}` }).click();
  await expect(toastTitled(page, "Success")).toBeVisible();
  await expect(page.getByText("Banned for: Several accounts")).toBeVisible();
  const timeline = page.getByRole("list", { name: `Timeline of ${username}` });
  await expect(timeline.getByRole("listitem").first()).toContainText("User banned");
});

test("an unknown ID is said to be one, and a long timeline is loaded page by page", async ({ page, newPlayer }) => {
  const { calls, id, username } = await newPlayer("100.00");
  const bet = { betAmount: "0.10", targetNumber: 50, betType: "over" };
  for (let round = 0; round < 55; round += 1)
    expect((await calls.post("/api/dice/play", { data: bet })).ok()).toBe(true);
  await openPanel(page);
  for (const unknown of ["999999999", "nobody"]) {
    await page.goto(`/admin/players/${unknown}`);
    await expect(page.getByText(`There is no player with the ID ${unknown}`)).toBeVisible();
  }
  await page.goto(`/admin/players/${id}?kind=round`);
  const entries = page.getByRole("list", { name: `Timeline of ${username}` }).getByRole("listitem");
  await expect(entries).toHaveCount(50);
  await page.getByRole("button", { name: "Load more" }).click();
  await expect(entries).toHaveCount(55);
  await expect(page.getByText("Showing all 55 entries")).toBeVisible();
  // A period narrows it as well; the last day counts.
  await page.getByRole("button", { name: "Filters" }).click();
  await page.getByLabel("Date to").fill("2020-01-31");
  await expect(page.getByText("Nothing of this kind has happened")).toBeVisible();
  await expect(page).toHaveURL(/to=2020-01-31/);
  await page.getByLabel("Date to").fill("");
  await page.getByLabel("Date from").fill(new Date(Date.now() - 86_400_000).toISOString().slice(0, 10));
  await expect(entries).toHaveCount(50);
});

test("a note is added, and all sessions are ended", async ({ page, newPlayer }, info) => {
  const { calls, id, username } = await newPlayer("10.00");
  await openPanel(page);
  await page.goto(`/admin/players/${id}`);
  await page.getByRole("button", { name: "Add Note" }).click();
  const note = page.getByRole("dialog", { name: "Add Note" });
  await note.getByRole("button", { name: "Add Note" }).click();
  await expect(note.getByText("Please write the note")).toBeVisible();
  await note.getByLabel("Note").fill("Asked twice about the same deposit");
  await expectAccessible(page);
  await note.getByRole("button", { name: "Add Note" }).click();
  await expect(note).toHaveCount(0);
  const timeline = page.getByRole("list", { name: `Timeline of ${username}` });
  await expect(timeline.getByRole("listitem").first()).toContainText(/^.*Note.*Asked twice about the same deposit/);

  const sessions = page.getByRole("list", { name: `Sessions of ${username}` });
  await expect(sessions.getByRole("listitem")).toHaveCount(1);
  await page.getByRole("button", { name: "End All Sessions" }).click();
  const end = page.getByRole("dialog", { name: "End All Sessions" });
  await end.getByLabel("Reason").fill("A stolen phone");
  await expectAccessible(page);
  await end.getByRole("button", { name: "End All Sessions" }).click();
  await expect(page.getByText(`${username} is signed in nowhere`)).toBeVisible();
  await expect(timeline).toContainText("All sessions were ended by the house");
  expect((await calls.get("/api/user")).status()).toBe(401);
  await expectAccessible(page);
  await page.screenshot({ path: info.outputPath("player.png"), fullPage: true });
});
