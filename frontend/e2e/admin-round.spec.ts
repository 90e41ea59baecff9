import { openPanel, rowOf, test, expect } from "./admin-support";
import { rotateSeeds } from "./chosen-rounds";
import { expectAccessible } from "./support";

// The page of one round: replayed by the server, and by the browser once the seeds are revealed.

const BET = { betAmount: "1.00", targetNumber: 50, betType: "over" };

test("a settled round is replayed, and by the browser as well once its seeds are revealed", async ({
  page,
  newPlayer,
}, info) => {
  const player = await newPlayer();
  const answer = await player.calls.post("/api/dice/play", { data: BET });
  const { roundId } = (await answer.json()) as { roundId: number };
  await openPanel(page, `?tab=games&id=${roundId}`);
  const row = rowOf(page, "Game history", player.username);
  await row.getByRole("button", { name: `Details of round ${roundId}` }).click();
  await page.getByRole("link", { name: `Round ${roundId}` }).click();
  await expect(page.getByRole("heading", { name: `Dice, round ${roundId}` })).toBeVisible();
  await expect(page.getByText("Replayed by the server: exactly what the seeds and the rules give.")).toBeVisible();
  await expect(page.getByText("Still in use. It is shown once the player has rotated the seeds.")).toBeVisible();
  await expectAccessible(page);
  await page.screenshot({ path: info.outputPath("active.png"), fullPage: true });

  await rotateSeeds(player.calls);
  await page.getByRole("button", { name: "Replay the round again" }).click();
  await expect(page.getByText("Replayed by your browser: exactly what the revealed seeds give.")).toBeVisible();
  await expect(page.getByRole("list", { name: "Checks" }).getByRole("listitem").first()).toBeVisible();
  await expectAccessible(page);
  await page.screenshot({ path: info.outputPath("revealed.png"), fullPage: true });
  await page.getByRole("link", { name: new RegExp(`^${player.username}`) }).click();
  await expect(page).toHaveURL(/\/admin\/players\//);
});

test("a round in play tells nothing of its outcome, and an unknown one is not there", async ({
  page,
  newPlayer,
}, info) => {
  const player = await newPlayer();
  const answer = await player.calls.post("/api/poker/deal", { data: { betAmount: "1.00", isMaxBet: false } });
  const { roundId } = (await answer.json()) as { roundId: number };
  await openPanel(page);
  await page.goto(`/admin/rounds/${roundId}`);
  await expect(page.getByText("The round is in play. Nobody is shown its outcome")).toBeVisible();
  await expect(page.getByText("Could win $249.00 at most")).toBeVisible();
  await expectAccessible(page);
  await page.screenshot({ path: info.outputPath("in-play.png"), fullPage: true });
  for (const unknown of ["999999999", "abc"]) {
    await page.goto(`/admin/rounds/${unknown}`);
    await expect(page.getByText(`There is no round with the ID ${unknown}`)).toBeVisible();
  }
  await expectAccessible(page);
});
