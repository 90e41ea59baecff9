// Measures what a cheap phone on a slow network makes of Glasshouse: the time until a repeat visit can be used, and the
// frame rate of a running round.
//
//     GLASSHOUSE_E2E_URL=http://127.0.0.1:8080 GLASSHOUSE_E2E_ADMIN_PASSWORD=… GLASSHOUSE_E2E_ADMIN_CODE=… \
//         node scripts/measure.mjs
//
// The code is one of the administrator's authenticator, or a recovery code.
//
// The processor is slowed down four times; the network has 400 ms latency and 50 kB/s in each direction. A page can be
// used when its main action can be pressed. The figures depend on the machine, so compare them only on one that does
// nothing else.

import { chromium, request } from "@playwright/test";

const URL = process.env.GLASSHOUSE_E2E_URL ?? "http://127.0.0.1:8080";
/** The cheap phone that Lighthouse emulates, too. */
const PHONE = {
  viewport: { width: 412, height: 823 },
  deviceScaleFactor: 1.75,
  isMobile: true,
  hasTouch: true,
};
const SLOWDOWN = 4;
const NETWORK = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
const PASSWORD = "measured-lamp-7";
/** The rounds whose frames are counted, and how much of each. */
const ROUNDS = 7;
const [SHORTEST_MS, LONGEST_MS] = [1000, 5000];

/** The pages, and what has to be there before they can be used. */
const PAGES = {
  "/dice": '[data-testid="main-action"]',
  "/crash": '[data-testid="main-action"]',
  "/stonks": '[data-testid="main-action"]',
  "/poker": '[data-testid="main-action"]',
  "/dashboard": 'a[aria-label^="Play Now"]',
};

async function slowDown(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", NETWORK);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
}

/** The milliseconds until a page can be used that was visited before. */
async function repeatVisit(context, path, target) {
  const first = await context.newPage();
  await first.goto(URL + path);
  await first.locator(target).first().waitFor();
  await first.waitForLoadState("networkidle");
  await first.close();
  const page = await context.newPage();
  await slowDown(page);
  const start = performance.now();
  await page.goto(URL + path, { waitUntil: "commit" });
  await page.locator(target).first().waitFor();
  const usableMs = Math.round(performance.now() - start);
  await page.close();
  return usableMs;
}

/** Counts the frames of the next round, up to `most` milliseconds of it. Runs in the page. */
function framesOfRound(most) {
  const label = document.querySelector('[data-testid="main-action"]');
  return new Promise((resolve) => {
    const times = [];
    let hasStarted = false;
    const next = (now) => {
      const isOver = label.textContent.endsWith("Again");
      const isInPlay = /^(Cash|Sell)/.test(label.textContent);
      hasStarted ||= !isOver;
      if (isInPlay) times.push(now);
      if ((hasStarted && isOver) || now - times[0] > most)
        resolve({ frames: times.length - 1, ms: times.length > 0 ? times.at(-1) - times[0] : 0 });
      else requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  });
}

/**
 * Frames per second of rounds in play with a slow processor: the median of some rounds. The first one is left out,
 * because code is still compiled then.
 */
async function frameRate(context, path) {
  const page = await context.newPage();
  await page.goto(URL + path);
  const action = page.locator(PAGES[path]).first();
  await action.waitFor();
  await page.waitForLoadState("networkidle");
  // A round that is cashed out by itself would be short.
  if (path === "/crash") {
    await page.getByRole("button", { name: /Bet options$/ }).click();
    await page.getByRole("textbox", { name: "Auto cash-out multiplier" }).fill("");
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  }
  await slowDown(page);
  const rates = [];
  for (let round = 0; rates.length < ROUNDS; round += 1) {
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
    const counting = page.evaluate(framesOfRound, LONGEST_MS);
    // Enter starts the next round at once.
    await page.getByRole("textbox", { name: "Bet amount" }).press("Enter");
    const { frames, ms } = await counting;
    if (round > 0 && ms >= SHORTEST_MS) rates.push((frames * 1000) / ms);
    // What is still in play ends, so that the next round can start.
    if (/^(Cash|Sell)/.test(await action.innerText())) await action.click();
    await page.getByRole("button", { name: /Again$/ }).waitFor();
  }
  await page.close();
  return Math.round(rates.toSorted((one, other) => one - other)[(ROUNDS - 1) / 2]);
}

/** Registers a player with enough money for the rounds. */
async function register(context) {
  const username = `measured-${Date.now().toString(36)}`;
  const answer = await context.request.post(`${URL}/api/register`, { data: { username, password: PASSWORD } });
  if (!answer.ok()) throw new Error(`the measuring player was refused: ${await answer.text()}`);
  const { id } = await (await context.request.get(`${URL}/api/user`)).json();
  const administrator = await request.newContext({ baseURL: URL });
  const password = process.env.GLASSHOUSE_E2E_ADMIN_PASSWORD ?? "";
  const secondFactor = process.env.GLASSHOUSE_E2E_ADMIN_CODE;
  await administrator.post("/api/login", { data: { username: "admin", password, secondFactor } });
  const funded = await administrator.post(`/api/admin/users/${id}/balance`, { data: { balance: "1000.00" } });
  if (!funded.ok()) throw new Error(`the balance was refused: ${await funded.text()}`);
}

const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
const context = await browser.newContext(PHONE);
await register(context);
for (const [path, target] of Object.entries(PAGES))
  console.log(`${path.padEnd(12)} usable after ${await repeatVisit(context, path, target)} ms on a repeat visit`);
for (const path of ["/crash", "/stonks"])
  console.log(`${path.padEnd(12)} ${await frameRate(context, path)} frames per second during rounds`);
await browser.close();
