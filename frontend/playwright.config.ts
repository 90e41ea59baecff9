import { defineConfig, devices } from "@playwright/test";

const launchOptions = {
  // Chromium without the parts that draw windows: it takes a quarter less of the processors.
  executablePath: "/usr/bin/chromium-headless-shell",
  args: [
    "--no-sandbox",
    // Every test loads its pages anew, and leaves them before the optimising compilers pay.
    "--js-flags=--no-turbofan --no-maglev",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
  ],
};

// A journey runs at the size of a desktop. Tagged `@phone`, it runs at that of a phone instead, and tagged `@both` at
// both: those that depend on the size, and one way through every game, the wallet and the panel.
export default defineConfig({
  testDir: "e2e",
  globalSetup: "./e2e/administrator.ts",
  fullyParallel: true,
  // Two more than the processors of the smallest machine, because pages also wait for the server and for clocks.
  workers: 4,
  retries: 0,
  // They end what hangs; how fast a machine is decides nothing.
  timeout: 240_000,
  expect: { timeout: 60_000 },
  reporter: [["list"], ["./e2e/failures-reporter.ts"]],
  use: {
    // A service worker would answer requests that a test intercepts.
    serviceWorkers: "block",
    baseURL: process.env.GLASSHOUSE_E2E_URL ?? "http://127.0.0.1:8080",
    // Before the test's own limit, which does not say what was waited for.
    actionTimeout: 120_000,
    launchOptions,
  },
  projects: [
    {
      name: "desktop",
      use: { ...devices["Desktop Chrome"], viewport: { width: 1440, height: 900 } },
      grepInvert: /@phone\b/,
    },
    { name: "phone", use: { ...devices["Pixel 7"] }, grep: /@(phone|both)\b/ },
  ],
});
