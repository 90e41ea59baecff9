import { defineConfig } from "@playwright/test";

/**
 * The journeys in Firefox. Playwright only runs them and compares; the browser is Debian's Firefox, which Puppeteer
 * drives over WebDriver BiDi, because Playwright needs a Firefox of its own.
 */
export default defineConfig({
  testDir: "e2e-firefox",
  globalSetup: "./e2e/administrator.ts",
  workers: 1,
  retries: 0,
  // They end what hangs; how fast a machine is decides nothing.
  timeout: 240_000,
  expect: { timeout: 60_000 },
  reporter: [["list"], ["./e2e/failures-reporter.ts"]],
});
