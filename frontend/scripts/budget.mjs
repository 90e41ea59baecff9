// Prints how much script each page needs before its first screen, and fails if a page needs more than its budget.
//
// Counted are, in kilobytes (1000 bytes) after brotli as the server sends them: the entry, the chunks of the route,
// and everything that these import statically. /poker is the game that its address selects. Not counted are the parts
// that are loaded when they are opened or when the browser is idle (dialogs, toasts, verification), styles, fonts and
// pictures. Some pages have no limit.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";

const BUDGET_BYTES = 111_000;
/** Their forms and proofs are most of what they show, so they are measured without a limit. */
const UNLIMITED = new Set([
  "/admin",
  "/admin/payments/:paymentId",
  "/admin/players/:playerId",
  "/admin/withdrawals/:withdrawalId",
  "/auth",
  "/forgot-password",
  "/new-password",
  "/transparency",
  "/verify-email",
]);
const limitOf = (path) => (UNLIMITED.has(path) ? Infinity : BUDGET_BYTES);
const ENTRY = "index.html";
const DIST = fileURLToPath(new URL("../dist", import.meta.url));

const { pages } = JSON.parse(readFileSync(new URL("../src/app/page-texts.json", import.meta.url), "utf8"));

const manifest = JSON.parse(readFileSync(join(DIST, ".vite/manifest.json"), "utf8"));
const sizes = new Map();

/** The size of a file as it is sent. */
function bytesOf(file) {
  if (!sizes.has(file)) sizes.set(file, brotliCompressSync(readFileSync(join(DIST, file))).length);
  return sizes.get(file);
}

/** The script files that must be there before any of the modules can run. */
function filesOf(modules) {
  const found = new Set();
  const add = (name) => {
    const chunk = manifest[name];
    if (!chunk) throw new Error(`the build has no chunk for ${name}`);
    if (found.has(chunk.file)) return;
    found.add(chunk.file);
    for (const imported of chunk.imports ?? []) add(imported);
  };
  for (const name of modules) add(name);
  return [...found];
}

const results = Object.entries(pages).map(([path, { modules }]) => {
  const files = filesOf([ENTRY, ...modules]);
  return { path, files: files.length, bytes: files.reduce((sum, file) => sum + bytesOf(file), 0) };
});

console.log("page            files     kB");
for (const { path, files, bytes } of results) {
  const note = bytes > limitOf(path) ? "  too much" : UNLIMITED.has(path) ? "  no limit" : "";
  console.log(`${path.padEnd(15)} ${String(files).padStart(5)} ${(bytes / 1000).toFixed(1).padStart(6)}${note}`);
}
const over = results.filter(({ path, bytes }) => bytes > limitOf(path));
if (over.length > 0) {
  console.error(`More script than allowed: ${over.map(({ path }) => path).join(", ")}`);
  process.exit(1);
}
