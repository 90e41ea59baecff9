// Builds sw.js: the service worker with the files of this build that every page begins with.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Plugin, Rolldown } from "vite";

const SOURCE = fileURLToPath(new URL("../src/service-worker.js", import.meta.url));
const PUBLIC = ["offline.html", "offline.css", "icon.svg"];
/** Of the fonts, only what English needs. */
const FONT = /-latin-wght-normal-.*\.woff2$/;

/** The entry and the chunks that it imports, directly or not. */
function shellScripts(bundle: Rolldown.OutputBundle): string[] {
  const found = new Set<string>();
  const add = (name: string) => {
    const chunk = bundle[name];
    if (chunk?.type !== "chunk" || found.has(name)) return;
    found.add(name);
    for (const imported of chunk.imports) add(imported);
  };
  for (const [name, file] of Object.entries(bundle)) if (file.type === "chunk" && file.isEntry) add(name);
  return [...found];
}

/** A plugin for vite. */
export function serviceWorker(): Plugin {
  return {
    name: "service-worker",
    apply: "build",
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        const assets = Object.keys(bundle).filter((name) => /assets\/index-[^/]*\.css$/.test(name) || FONT.test(name));
        const files = [...shellScripts(bundle), ...assets, ...PUBLIC].toSorted().map((name) => `/${name}`);
        const version = createHash("sha256").update(JSON.stringify(files));
        for (const name of PUBLIC) version.update(readFileSync(new URL(`../public/${name}`, import.meta.url)));
        const source = readFileSync(SOURCE, "utf8")
          .replace("__VERSION__", version.digest("hex").slice(0, 16))
          .replace("__FILES__", JSON.stringify(files));
        this.emitFile({ type: "asset", fileName: "sw.js", source });
      },
    },
  };
}
