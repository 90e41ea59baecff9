import { createHash, generateKeyPairSync, sign } from "node:crypto";
import type { APIRequestContext, Browser, BrowserContext, Page } from "@playwright/test";
import type { components } from "@/api/schema";
import { expect, expectAccessible, signInAsPlayer, test } from "./support";
import { callsOf, changeAnswer, getJson, playAllGames, playDice, savedEvidence, untilInLog } from "./trust-support";

type Overview = components["schemas"]["Transparency"];

const SIGNED = "The signature of the latest checkpoint is valid.";
const IN_LOG = "The latest entries are in the log that was signed.";
const rowsOf = (page: Page) => page.getByRole("table", { name: /^The latest rounds/ }).locator("tbody tr");
const figures = (page: Page) => page.getByRole("button", { name: /the figures$/ });
const alertOf = (page: Page) => page.getByRole("main").getByRole("alert");

/** Lets a player, who is not the visitor, play rounds that are then in the log. */
async function playElsewhere(
  browser: Browser,
  administrator: APIRequestContext,
  play: (page: Page) => Promise<unknown>,
): Promise<void> {
  const page = await browser.newPage();
  await signInAsPlayer(page, administrator, "1000.00");
  await play(page);
  await untilInLog(page);
  await page.close();
}

/** A page on which the browser may log the error that the test provokes. */
const openQuietPage = (context: BrowserContext): Promise<Page> => context.newPage();

test("a visitor sees the returns, the verified log and the latest rounds, recomputed", async ({
  page,
  browser,
  administrator,
}) => {
  await playElsewhere(browser, administrator, (player) => playAllGames(player, administrator));
  await page.goto("/transparency");
  await expect(page.getByText(SIGNED)).toBeVisible();
  await expect(page.getByText(IN_LOG)).toBeVisible();
  await expect(page.getByText(/^\d+ rounds? recomputed in your browser/)).toBeVisible();
  await expect(rowsOf(page).getByText("recomputed")).toHaveCount(await rowsOf(page).count());
  const { origin, verifierKeys, size } = await getJson<Overview>(callsOf(page), "/api/transparency");
  expect(size).toBeGreaterThan(6);
  await expect(page.getByText(origin ?? "", { exact: true })).toBeVisible();
  await expect(page.getByText(verifierKeys[0] ?? "")).toBeVisible();
  await expect(page.getByText(/which it sees for the first time/)).toBeVisible();
  await expect(page.getByText(/^glasshouse audit http/)).toBeVisible();
  await expect(page.getByRole("heading", { name: "What is not proved" })).toBeVisible();
  for (const path of ["/transparency/key", "/transparency/rules", "/log/checkpoint"]) {
    await expect(page.getByRole("link", { name: path })).toHaveAttribute("href", path);
    expect((await callsOf(page).get(path)).ok()).toBe(true);
  }
});

test("the page is accessible at every width, also with large figures", async ({ page, browser, administrator }) => {
  await playElsewhere(browser, administrator, (player) => playDice(callsOf(player)));
  await changeAnswer<Overview>(page, "**/api/transparency", (overview) => ({
    ...overview,
    latest: overview.latest.map(({ index, entry }) => ({
      index: index + 12_345_678,
      entry: entry.replace(/"stake":\d+/, '"stake":100000').replace(/"payout":\d+/, '"payout":10000000'),
    })),
    games: overview.games.map((game) => ({ ...game, rounds: 123_456_789, staked: "1234567890.12" })),
  }));
  await page.goto("/transparency");
  await expect(alertOf(page)).toBeVisible();
  await figures(page).click();
  await page.getByText("The signed checkpoint").click();
  for (const width of [360, 390, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await expectAccessible(page);
  }
  await page.unroute("**/api/transparency");
  await page.reload();
  await expect(page.getByText(IN_LOG)).toBeVisible();
  for (const width of [360, 390, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await expectAccessible(page);
  }
});

test("everything on the page can be reached and used by keyboard", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/transparency");
  await expect(page.getByText(SIGNED)).toBeVisible();
  await figures(page).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("region", { name: "Figures of all games" })).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: /^Copy root of/ })).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  const { verifierKeys } = await getJson<Overview>(callsOf(page), "/api/transparency");
  await expect(page.locator("pre")).toBeVisible();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Copy key: copied" })).toBeFocused();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(verifierKeys[0]);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Check again" })).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^glasshouse audit http/);
});

test("a later visit says that the log has only grown", async ({ page, browser, administrator }) => {
  await page.goto("/transparency");
  await expect(page.getByText(SIGNED)).toBeVisible();
  const { size } = await getJson<Overview>(callsOf(page), "/api/transparency");
  await playElsewhere(browser, administrator, (player) => playDice(callsOf(player)));
  // The figures are computed every few seconds.
  await expect
    .poll(async () => (await getJson<Overview>(callsOf(page), "/api/transparency")).size)
    .toBeGreaterThan(size);
  await page.reload();
  await expect(page.getByText(/^It continues the log of \d[\d,]* entries that you saw before\.$/)).toBeVisible();
  await expect(page.getByText(/that it already knew/)).toBeVisible();
});

const FORGERIES: readonly [string, string, (overview: Overview) => object][] = [
  [
    "size",
    "log_invalid",
    ({ checkpoint, ...rest }) => ({ ...rest, checkpoint: checkpoint.replace(/\n(\d+)\n/, "\n9$1\n") }),
  ],
  [
    "signature",
    "log_invalid",
    ({ checkpoint, ...rest }) => ({ ...rest, checkpoint: checkpoint.replace(/.{8}\n$/, "AAAAAAA=\n") }),
  ],
  [
    "entry",
    "log_invalid",
    ({ latest, ...rest }) => ({
      ...rest,
      latest: latest.map(({ entry, index }) => ({ index, entry: entry.replace(/"second":\d+/, '"second":1') })),
    }),
  ],
];

for (const [part, kind, change] of FORGERIES) {
  test(`a forged ${part} of the log is reported`, async ({ page }) => {
    await changeAnswer(page, "**/api/transparency", change);
    await page.goto("/transparency");
    await expect(alertOf(page)).toContainText("The public record is not what the house signed.");
    await expect(page.getByText(IN_LOG)).toBeHidden();
    await expectAccessible(page);
    const { failures } = await savedEvidence(page, alertOf(page));
    expect(failures.map((failure) => failure.kind)).toEqual([kind]);
  });
}

test("a log that does not continue the known one is reported", async ({ page, browser, administrator }) => {
  await page.goto("/transparency");
  await expect(page.getByText(SIGNED)).toBeVisible();
  const { size } = await getJson<Overview>(callsOf(page), "/api/transparency");
  await playElsewhere(browser, administrator, (player) => playDice(callsOf(player)));
  await expect
    .poll(async () => (await getJson<Overview>(callsOf(page), "/api/transparency")).size)
    .toBeGreaterThan(size);
  await changeAnswer(page, "**/api/log/consistency*", () => ({ path: [] }));
  await page.reload();
  await expect(alertOf(page)).toContainText("The public record was changed");
  const { failures } = await savedEvidence(page, alertOf(page));
  expect(failures.map(({ kind }) => kind)).toEqual(["log_forked"]);
});

test("a signed-in player is told permanently about a forged log", async ({ page, administrator }) => {
  await signInAsPlayer(page, administrator);
  await changeAnswer<Overview>(page, "**/api/transparency", ({ checkpoint, ...rest }) => ({
    ...rest,
    checkpoint: checkpoint.replace(/\n(\d+)\n/, "\n9$1\n"),
  }));
  await page.goto("/transparency");
  await expect(alertOf(page)).toBeVisible();
  await page.goto("/history");
  const alert = page.getByRole("alert").filter({ hasText: "The public record is not what the house signed." });
  await expect(alert).toBeVisible();
  await expectAccessible(page);
});

test("a house without rounds, and one that cannot be reached, say so", async ({ page: quiet, context }) => {
  const page = await openQuietPage(context);
  await page.route("**/api/transparency", (route) => route.fulfill({ status: 503, json: { message: "Please wait." } }));
  await page.goto("/transparency");
  await expect(page.getByText("The public record could not be loaded")).toBeVisible();
  await expect(page.getByText("Please wait.")).toBeVisible();
  await expectAccessible(page);
  await page.unroute("**/api/transparency");
  await changeAnswer<Overview>(page, "**/api/transparency", ({ games }) => ({
    origin: null,
    verifierKeys: [],
    size: 0,
    checkpoint: "",
    witnesses: [],
    latest: [],
    games: games.map((game) => ({ ...game, rounds: 0, measuredRtpPercent: null, lowPercent: null, highPercent: null })),
  }));
  await page.getByRole("button", { name: "Try Again" }).click();
  await expect(page.getByText("No rounds yet")).toBeVisible();
  await expect(page.getByText("The log has not begun yet.")).toBeVisible();
  await expectAccessible(page);
  await quiet.close();
});

/** A witness that signs as C2SP tlog-cosignature says. */
function newWitness(name: string) {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const key = Buffer.concat([Buffer.of(4), publicKey.export({ format: "der", type: "spki" }).subarray(-32)]);
  const id = createHash("sha256").update(`${name}\n`).update(key).digest().subarray(0, 4);
  return {
    listed: (cosignedSize: number | null, cosignedAt: string | null): Overview["witnesses"][number] => ({
      name,
      verifierKey: `${name}+${id.toString("hex")}+${key.toString("base64")}`,
      cosignedSize,
      cosignedAt,
    }),
    cosign(checkpoint: string, second: number): string {
      const time = Buffer.alloc(8);
      time.writeBigUInt64BE(BigInt(second));
      const text = checkpoint.slice(0, checkpoint.indexOf("\n\n") + 1);
      const signature = sign(null, Buffer.from(`cosignature/v1\ntime ${second}\n${text}`), privateKey);
      return `— ${name} ${Buffer.concat([id, time, signature]).toString("base64")}\n`;
    },
  };
}

test("the witnesses of the log are shown, and their signatures verified", async ({ page }) => {
  await page.goto("/transparency");
  await expect(page.getByText(SIGNED)).toBeVisible();
  await expect(page.getByText(/^No witness signs this log/)).toBeVisible();
  const [signing, silent] = [newWitness("players.example/witness"), newWitness("regulator.example")];
  let line = (checkpoint: string): string => signing.cosign(checkpoint, 1_795_290_535);
  await changeAnswer<Overview>(page, "**/api/transparency", (overview) => ({
    ...overview,
    checkpoint: `${overview.checkpoint}${line(overview.checkpoint)}`,
    witnesses: [signing.listed(overview.size, "2026-11-21T19:48:55Z"), silent.listed(null, null)],
  }));
  await page.reload();
  await expect(page.getByText(/^Signed the latest checkpoint on Nov 2\d, 2026/)).toBeVisible();
  await expect(page.getByText("Has not signed this log so far.")).toBeVisible();
  await expect(page.getByText(signing.listed(null, null).verifierKey)).toBeVisible();
  await expect(alertOf(page)).toBeHidden();
  for (const width of [360, 390, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await expectAccessible(page);
  }
  line = () => signing.cosign("play.example/another\n7\nroot\n\n", 1_795_290_535);
  await page.getByRole("button", { name: "Check again" }).click();
  await expect(page.getByText("The signature does not match the checkpoint.")).toBeVisible();
  await expect(alertOf(page)).toContainText("a cosignature of players.example/witness that does not match it");
  const { failures } = await savedEvidence(page, alertOf(page));
  expect(failures.map(({ kind }) => kind)).toEqual(["log_invalid"]);
});

test("the page is linked from the landing page, the footer and the fairness dialog", async ({
  page,
  administrator,
}) => {
  for (const name of ["measured over all rounds", "See the public record", "Public record", "Verifier key"]) {
    await page.goto("/");
    await page.getByRole("link", { name, exact: true }).click();
    await expect(page).toHaveURL(/\/transparency(#verifier-key)?$/);
    await expect(page.getByRole("heading", { name: "Transparency" })).toBeVisible();
  }
  await expect(page.getByRole("heading", { name: /^Verifier key/ })).toBeInViewport();
  await signInAsPlayer(page, administrator);
  await page.goto("/dice");
  await page.getByRole("button", { name: "Provably fair" }).click();
  await page.getByRole("dialog").getByRole("link", { name: "public record" }).click();
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(page.getByText(SIGNED)).toBeVisible();
});
