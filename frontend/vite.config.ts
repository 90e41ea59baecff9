import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { chunkLoader } from "./scripts/chunk-loader.ts";
import { fontFallbacks } from "./scripts/font-fallbacks.ts";
import { withoutIconKeys } from "./scripts/icon-keys.ts";
import { serviceWorker } from "./scripts/service-worker.ts";

/** "dice-page", "routes-history": many parts of games and of pages have the same names in their folders. */
const nameOf = (module: string | null | undefined): string =>
  /([\w-]+)\/([\w-]+)\.tsx?$/
    .exec(module ?? "")
    ?.slice(1)
    .join("-") ?? "[name]";

/** Small parts of many pages; what a page can do without at first (dialogs, charts, proofs) is not among them. */
const KIT =
  /src\/(components|lib|api)\/(?!fairness|pages|menu-content|preview|copy-button|cards|currencies|sound|select|dialog|accordion|toast-region|dismissal|qr-|chart|return-plot|trust|checkbox|how-to-play|ago|relative-time|zoned-time|use-now|slider|limit-texts|play-hold|reality-check|session-summary|password|new-password|switch|step-up|code-field|passkey|use-ceremony|second-factor|text-button)|lucide-react\/dist\/esm\/icons\/shield-check/;

const PAGE = /assets\/([\w-]+-page|routes-[\w-]+)-/;
/** They are there before anything else is loaded. */
const INITIAL = /assets\/(index|rolldown-runtime)-/;

export default defineConfig({
  plugins: [react(), tailwindcss(), withoutIconKeys(), fontFallbacks(), chunkLoader(), serviceWorker()],
  resolve: {
    alias: [
      { find: "@", replacement: fileURLToPath(new URL("./src", import.meta.url)) },
      // React has it itself; the package only serves older versions.
      { find: /^use-sync-external-store\/shim(\/index\.js)?$/, replacement: "react" },
    ],
  },
  // The exact figures of the games, the texts of refusals and the examples of the log are read from where the server's tests read them.
  server: {
    proxy: Object.fromEntries(
      ["/api", "/log", "/transparency/key", "/transparency/rules"].map((path) => [path, "http://127.0.0.1:8080"]),
    ),
    fs: { allow: [".", "../crates/api", "../crates/games", "../crates/transparency"] },
  },
  // The server puts a fresh nonce in its place with every page.
  html: { cspNonce: "__CSP_NONCE__" },
  build: {
    target: "es2022",
    // Slower than the default, and the script of each page is half a kilobyte smaller; a third pass would gain nothing.
    minify: "terser",
    // Vite itself would leave one of two cores unused.
    terserOptions: { module: true, compress: { passes: 2, ecma: 2022 }, maxWorkers: availableParallelism() },
    assetsInlineLimit: 0,
    // On the way to another page, all its chunks are fetched at once; a part of a page fetches its own.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (file, chunks) =>
        PAGE.test(file) ? chunks.filter((chunk) => !INITIAL.test(chunk) && chunk !== file) : [],
    },
    // For the budget, and for the server, which has each page load its chunks at once.
    manifest: true,
    // What every page begins with comes in one file, and not in one for each set of games that happens to
    // share something. The libraries in a file of their own would be loaded again less often, but compressed
    // together they make each page 0.8 kB smaller.
    rolldownOptions: {
      output: {
        // With a character more in each hash, as by default, every page would be 0.2 kB larger.
        chunkFileNames: ({ facadeModuleId }) => `assets/${nameOf(facadeModuleId)}-[hash:7].js`,
        codeSplitting: {
          groups: [
            { name: "index", tags: ["$initial"] },
            { name: "forms", test: /node_modules.*(react-hook-form|hookform|zod|standard-schema)/ },
            // The parts that every verification of a round needs are too small for files of their own.
            { name: "verify", test: /src\/(games\/verify-round|lib\/fairness\/(cents|stream))\.ts$/, minShareCount: 2 },
            { name: "pages", test: /swr\/dist\/infinite|src\/api\/pages/ },
            { name: "kit", test: KIT, minShareCount: 4 },
            // The lists below a game come after its first screen.
            {
              name: "bets",
              test: /src\/games\/rounds\/(bet-list|history-pages|proof-mark|explain-button|public-|use-filled|name-switch)/,
              minShareCount: 2,
            },
            // Around the stage of every game. Not all of them have autobet, but a file of its own would not pay.
            {
              name: "rounds",
              test: /src\/(games\/(rounds\/(?!own-history-list|history-|all-bets|high-wins|my-bets|bet-tabs|own-bets)|timed\/use-live-keys)|components\/(sound-button|extra-cent)|games\/autobet\/(parts|use-autobet|empty-form))/,
              minShareCount: 2,
            },
            { name: "preview", test: /src\/components\/preview\//, minShareCount: 2 },
            { name: "timed", test: /src\/games\/timed\//, minShareCount: 2 },
            // What the preview and the verifier of a live game share with its page.
            { name: "crash", test: /src\/games\/crash\/(api|payout|rules|curve|crash-scene|use-)/, minShareCount: 2 },
            {
              name: "stonks",
              test: /src\/(games\/stonks\/(api|payout|rules|price-path)|components\/chart\/(path-scene|steady-range))/,
              minShareCount: 2,
            },
          ],
        },
      },
    },
  },
  test: {
    // A thread that keeps what it has loaded, with a context of its own for each file: a thread for each takes twice the
    // processor time. Vitest itself would leave one of two cores unused.
    pool: "vmThreads",
    // Contexts are not freed completely. A thread beyond this is replaced.
    vmMemoryLimit: "1GB",
    maxWorkers: availableParallelism(),
    // They end what hangs; how fast a machine is decides nothing.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A document takes a tenth of a second for each file, so only the tests that need one get it.
    projects: [
      {
        extends: true,
        test: { name: "node", environment: "node", include: ["src/**/*.test.ts"], exclude: ["src/**/*.dom.test.ts"] },
      },
      {
        extends: true,
        test: {
          name: "dom",
          environment: "jsdom",
          include: ["src/**/*.test.tsx", "src/**/*.dom.test.ts"],
          setupFiles: ["src/test-setup.ts"],
        },
      },
    ],
  },
});
