import { defineConfig, devices } from "@playwright/test";

const launchOptions = {
  executablePath: "/usr/bin/chromium",
  args: [
    "--no-sandbox",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
  ],
};

/**
 * What these journeys look at does not depend on the size of the screen, so they run once. Single tests that set their
 * own sizes are tagged `@desktop` or `@phone` with the device on which they run.
 */
const ONCE = [
  "autobet",
  "email",
  "failures",
  "fairness",
  "one-time-password",
  "password",
  "proofs",
  "roles",
  "session-watch",
  "transparency",
].map((name) => `**/${name}.spec.ts`);

export default defineConfig({
  testDir: "e2e",
  globalSetup: "./e2e/administrator.ts",
  fullyParallel: true,
  workers: 2,
  retries: 0,
  // They end what hangs; how fast a machine is decides nothing.
  timeout: 240_000,
  expect: { timeout: 60_000 },
  reporter: [["list"], ["./e2e/failures-reporter.ts"]],
  // A service worker would answer requests that a test intercepts.
  use: { serviceWorkers: "block", baseURL: process.env.GLASSHOUSE_E2E_URL ?? "http://127.0.0.1:8080", launchOptions },
  projects: [
    {
      name: "desktop",
      use: { ...devices["Desktop Chrome"], viewport: { width: 1440, height: 900 } },
      grepInvert: /@phone\b/,
    },
    { name: "phone", use: { ...devices["Pixel 7"] }, testIgnore: ONCE, grepInvert: /@desktop\b/ },
  ],
});
