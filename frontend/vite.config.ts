import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

/** "dice-page", "routes-history": many parts of games and of pages have the same names in their folders. */
const nameOf = (module: string | null | undefined): string =>
  /([\w-]+)\/([\w-]+)\.tsx?$/
    .exec(module ?? "")
    ?.slice(1)
    .join("-") ?? "[name]";

export default defineConfig({
  plugins: [react(), tailwindcss()],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
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
    assetsInlineLimit: 0,
    // What every page begins with comes in two files, the libraries in one of their own, and not in
    // one for each set of games that happens to share something.
    rolldownOptions: {
      output: {
        chunkFileNames: ({ facadeModuleId }) => `assets/${nameOf(facadeModuleId)}-[hash].js`,
        codeSplitting: {
          groups: [
            { name: "libraries", test: /node_modules.*\.[cm]?js$/, tags: ["$initial"] },
            { name: "index", tags: ["$initial"] },
          ],
        },
      },
    },
  },
  test: {
    environment: "jsdom",
    include: ["src/**/*.test.{ts,tsx}"],
    setupFiles: ["src/test-setup.ts"],
    // They end what hangs; how fast a machine is decides nothing.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
