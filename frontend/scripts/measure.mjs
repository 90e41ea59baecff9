// Measures what a cheap phone on a slow network makes of Glasshouse: the time until a repeat visit can be used, and the
// frame rate of a running round.
//
//     GLASSHOUSE_E2E_URL=http://127.0.0.1:8080 GLASSHOUSE_E2E_ADMIN_PASSWORD=… node scripts/measure.mjs
//
// The processor is slowed down four times; the network has 400 ms latency and 50 kB/s in each direction. A page can be
// used when its main action can be pressed. The figures depend on the machine, so compare them only on one that does
// nothing else.

import { chromium, devices, request } from "@playwright/test";

const URL = process.env.GLASSHOUSE_E2E_URL ?? "http://127.0.0.1:8080";
const SLOWDOWN = 4;
const NETWORK = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
const PASSWORD = "measured-lamp-7";
const FRAMES_MS = 5000;

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

/** Frames per second of a page with a slow processor. */
async function frameRate(context, path) {
  const page = await context.newPage();
  await page.goto(URL + path);
  await page.locator(PAGES[path]).first().waitFor();
  await slowDown(page);
  await page.locator(PAGES[path]).first().click();
  const frames = await page.evaluate(
    (ms) =>
      new Promise((resolve) => {
        let count = 0;
        const end = performance.now() + ms;
        const next = (now) => (now < end ? ((count += 1), requestAnimationFrame(next)) : resolve(count));
        requestAnimationFrame(next);
      }),
    FRAMES_MS,
  );
  await page.close();
  return Math.round((frames * 1000) / FRAMES_MS);
}

/** Registers a player with enough money for the rounds. */
async function register(context) {
  const username = `measured-${Date.now().toString(36)}`;
  const answer = await context.request.post(`${URL}/api/register`, { data: { username, password: PASSWORD } });
  if (!answer.ok()) throw new Error(`the measuring player was refused: ${await answer.text()}`);
  const { id } = await (await context.request.get(`${URL}/api/user`)).json();
  const administrator = await request.newContext({ baseURL: URL });
  const password = process.env.GLASSHOUSE_E2E_ADMIN_PASSWORD ?? "";
  await administrator.post("/api/login", { data: { username: "admin", password } });
  await administrator.post("/api/admin/step-up", { data: { password } });
  const funded = await administrator.post(`/api/admin/users/${id}/balance`, { data: { balance: "100.00" } });
  if (!funded.ok()) throw new Error(`the balance was refused: ${await funded.text()}`);
}

const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
const context = await browser.newContext(devices["Pixel 7"]);
await register(context);
for (const [path, target] of Object.entries(PAGES))
  console.log(`${path.padEnd(12)} usable after ${await repeatVisit(context, path, target)} ms on a repeat visit`);
for (const path of ["/crash", "/stonks"])
  console.log(`${path.padEnd(12)} ${await frameRate(context, path)} frames per second`);
await browser.close();
