import type { Locator, Page } from "@playwright/test";
import type { components } from "@/api/schema";
import { expect, expectAccessible, signInAsPlayer, test } from "./support";
import {
  alertOf,
  callsOf,
  changeAnswer,
  fairnessOf,
  playAllGames,
  playDice,
  registerByCalls,
  roundsOf,
  savedEvidence,
  untilInLog,
} from "./trust-support";

type Schemas = components["schemas"];

const roll = (page: Page) => page.getByRole("button", { name: /^Roll for/ }).locator("visible=true");
const rolled = (page: Page) => page.getByRole("listitem").filter({ hasText: /You Won!|You Lost/ });
const dialogOf = (page: Page) => page.getByRole("dialog", { name: "Provably fair" });
const verifyLink = (page: Page) => page.getByRole("button", { name: /^Verify round/ }).locator("visible=true");

async function openSeeds(page: Page): Promise<Locator> {
  await page.goto("/dice");
  await page.getByRole("button", { name: "Provably fair" }).click();
  await expect(dialogOf(page).getByText("Next server seed hash")).toBeVisible();
  return dialogOf(page);
}

const nothing = () => undefined;

/** Something that a test lets happen. */
function gate() {
  let open: () => void = nothing;
  const isOpen = new Promise<void>((resolve) => (open = resolve));
  return { open, isOpen };
}

test("a bet waits until the client seed is the browser's", async ({ page, administrator }) => {
  await registerByCalls(page, administrator);
  expect(await fairnessOf(page)).toMatchObject({ clientSeedBy: "house", nonce: 0 });
  const steps: string[] = [];
  const clicked = gate();
  await page.route("**/api/fairness/client-seed", async (route) => {
    await clicked.isOpen;
    steps.push("the client seed is chosen");
    await route.continue();
  });
  page.on("request", (request) => {
    if (request.url().endsWith("/api/dice/play")) steps.push("the bet is placed");
  });
  await page.goto("/dice");
  await roll(page).click();
  expect(steps).toEqual([]);
  clicked.open();
  await expect(rolled(page)).toBeVisible();
  expect(steps).toEqual(["the client seed is chosen", "the bet is placed"]);
  expect(await fairnessOf(page)).toMatchObject({ clientSeedBy: "player", nonce: 1 });
});

test("a round becomes recorded and then proved in the history", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  const shown = gate();
  await page.route("**/api/rounds/*/proof", async (route) => {
    await shown.isOpen;
    await route.continue();
  });
  await page.goto("/dice");
  await roll(page).click();
  await expect(rolled(page)).toBeVisible();
  const marks = page.getByRole("table", { name: /^Your last bets/ });
  await expect(marks.getByText("recorded")).toHaveCount(2);
  await page.goto("/history");
  const records = page.getByRole("table", { name: "Game records" });
  await expect(records.getByText("recorded").locator("visible=true")).toBeVisible();
  await expectAccessible(page);
  shown.open();
  await expect(records.getByText("proved").locator("visible=true")).toBeVisible();
  await expectAccessible(page);
  await verifyLink(page).click();
  await expect(dialogOf(page).getByText("Receipt and public record:")).toBeVisible();
  await expect(dialogOf(page).getByText("proved", { exact: true })).toBeVisible();
  await expect(alertOf(page)).toBeHidden();
});

test("one button proves rounds of all games, with their public entries", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator, "1000.00");
  await playAllGames(page, administrator);
  const rounds = await roundsOf(page);
  expect(new Set(rounds.map(({ gameType }) => gameType))).toEqual(
    new Set(["dice", "crash", "stonks", "poker", "mines"]),
  );
  expect(rounds).toHaveLength(6);
  await untilInLog(page);
  const dialog = await openSeeds(page);
  await dialog.getByRole("button", { name: "Prove everything" }).click();
  await expect(dialog.getByText("Everything holds: 6 rounds are exactly what the seeds give.")).toBeVisible();
  await expect(
    dialog.getByText("6 rounds: the receipt is valid, and the public record contains the same."),
  ).toBeVisible();
  await expectAccessible(page);
  await expect(alertOf(page)).toBeHidden();
});

test("rounds with a client seed by the house are labelled", async ({ page, administrator }) => {
  await registerByCalls(page, administrator);
  await playDice(callsOf(page));
  await page.goto("/history");
  await verifyLink(page).click();
  const dialog = dialogOf(page);
  const note = dialog.getByText(/^The house chose the client seed of this round/);
  await expect(note).toBeVisible();
  await dialog.getByRole("button", { name: "Go to seeds" }).click();
  await expect(dialog.getByText(/^Chosen by the house/)).toBeVisible();
  await dialog.getByRole("button", { name: "Prove everything" }).click();
  await expect(dialog.getByText("Everything holds: 1 round is exactly what the seeds give.")).toBeVisible();
  await expect(dialog.getByText(/^The house chose the client seed of these rounds/)).toBeVisible();
  await expect(dialog.getByText("Chosen by you or your browser.")).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("tab", { name: "Pairs" }).click();
  await expect(dialog.getByText("Client seed by the house")).toBeVisible();
  await dialog.getByRole("tab", { name: "Verify" }).click();
  await dialog.getByRole("button", { name: "Verify", exact: true }).click();
  await expect(dialog.getByText(/^Match: round/)).toBeVisible();
  await expect(note).toBeVisible();
  await expectAccessible(page);
});

test("a changed receipt is reported on every screen until the evidence is saved", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await changeAnswer<Schemas["DicePlayResult"]>(page, "**/api/dice/play", (round) => {
    const { receipt } = round;
    return { ...round, receipt: receipt && { ...receipt, text: receipt.text.replace(/balance \d+/, "balance 1") } };
  });
  await page.goto("/dice");
  await roll(page).click();
  await expect(alertOf(page)).toContainText(/The receipt of round \d+ is not valid/);
  // The result is shown all the same.
  await expect(rolled(page)).toBeVisible();
  await expectAccessible(page);
  await page.goto("/history");
  await expect(alertOf(page)).toBeVisible();
  await expect(page.getByText("not proved").locator("visible=true")).toBeVisible();
  await expectAccessible(page);
  await expect(alertOf(page).getByRole("button", { name: "Close" })).toBeHidden();
  const { format, keys, failures } = await savedEvidence(page, alertOf(page));
  expect(format).toBe("glasshouse evidence v1");
  expect(keys).toHaveLength(1);
  expect(failures.map(({ kind }) => kind)).toEqual(["receipt_invalid"]);
  await alertOf(page).getByRole("button", { name: "Close" }).click();
  await expect(alertOf(page)).toBeHidden();
  await page.reload();
  await expect(page.getByText("not proved").locator("visible=true")).toBeVisible();
  await expect(alertOf(page)).toBeHidden();
});

const ZERO_HASH = `${"A".repeat(43)}=`;
const CHANGED_PROOFS: readonly [string, (proof: Schemas["RoundInclusion"]) => object][] = [
  ["path", (proof) => ({ ...proof, path: [ZERO_HASH, ...proof.path.slice(1)] })],
  ["entry", (proof) => ({ ...proof, entry: proof.entry.replace(/"stake":\d+/, '"stake":7') })],
  ["checkpoint", (proof) => ({ ...proof, checkpoint: proof.checkpoint.replace(/\n(\d+)\n/, "\n9$1\n") })],
];

for (const [part, change] of CHANGED_PROOFS) {
  test(`a proof with another ${part} is reported`, async ({ page, administrator }) => {
    await signInAsPlayer(page, administrator);
    await playDice(callsOf(page));
    await untilInLog(page);
    await changeAnswer(page, "**/api/rounds/*/proof", change);
    await page.goto("/history");
    await verifyLink(page).click();
    await expect(alertOf(page)).toContainText(/The proof that round \d+ is in the public record is not valid/);
    await expect(dialogOf(page).getByText("not proved")).toBeVisible();
    await page.keyboard.press("Escape");
    const { failures } = await savedEvidence(page, alertOf(page));
    expect(failures.map(({ kind }) => kind)).toEqual(["log_invalid"]);
  });
}

test("a revealed seed without its hash is reported", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await playDice(callsOf(page));
  const dialog = await openSeeds(page);
  await changeAnswer<Schemas["FairnessRotation"]>(page, "**/api/fairness/rotate", ({ revealed, current }) => ({
    revealed: { ...revealed, serverSeed: "f".repeat(64) },
    current,
  }));
  await dialog.getByRole("button", { name: "Rotate seeds" }).click();
  await expect(dialog.getByText("The revealed seed does not have the hash that was shown before.")).toBeVisible();
  await expect(alertOf(page)).toContainText("A revealed server seed does not have the hash that was shown for it.");
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  const { failures } = await savedEvidence(page, alertOf(page));
  expect(failures.map(({ kind }) => kind)).toEqual(["seed_mismatch"]);
});

test("a new pair with another seed than the committed one is reported", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  const dialog = await openSeeds(page);
  const shown = await fairnessOf(page);
  const another = { serverSeedHash: "3".repeat(64), receipt: null };
  await changeAnswer<Schemas["FairnessRotation"]>(page, "**/api/fairness/rotate", ({ revealed, current }) => ({
    revealed,
    current: { ...current, ...another },
  }));
  await changeAnswer<Schemas["FairnessState"]>(page, "**/api/fairness", (state) => ({ ...state, ...another }));
  await dialog.getByRole("button", { name: "Rotate seeds" }).click();
  await expect(dialog.getByText("The new pair does not use the server seed that was fixed before.")).toBeVisible();
  await expect(alertOf(page)).toContainText("does not use the server seed that the house had committed to before");
  await page.keyboard.press("Escape");
  const { failures } = await savedEvidence(page, alertOf(page));
  expect(failures).toMatchObject([
    { kind: "pair_not_committed", evidence: { shownBefore: { nextServerSeedHash: shown.nextServerSeedHash } } },
  ]);
});
