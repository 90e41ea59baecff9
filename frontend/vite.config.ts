import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [react(), tailwindcss()],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  // The exact figures of the games are read from where the server's tests read them.
  server: { proxy: { "/api": "http://127.0.0.1:8080" }, fs: { allow: [".", "../crates/games"] } },
  // The server puts a fresh nonce in its place with every page.
  html: { cspNonce: "__CSP_NONCE__" },
  build: { target: "es2022", assetsInlineLimit: 0 },
  test: {
    environment: "jsdom",
    include: ["src/**/*.test.{ts,tsx}"],
    setupFiles: ["src/test-setup.ts"],
    // They end what hangs; how fast a machine is decides nothing.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
