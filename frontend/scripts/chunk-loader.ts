// Has dynamic imports load their code with `src/lib/load-chunk.ts`, which can try again after a failure, in place of
// vite's helper, which cannot.

import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

const HELPER = "\0vite/preload-helper.js";
const LOADER = fileURLToPath(new URL("../src/lib/load-chunk.ts", import.meta.url));

/** A plugin for vite. */
export function chunkLoader(): Plugin {
  return {
    name: "chunk-loader",
    apply: "build",
    enforce: "pre",
    load: {
      filter: { id: /vite\/preload-helper\.js$/ },
      handler: (id) => (id === HELPER ? `export { loadChunk as __vitePreload } from ${JSON.stringify(LOADER)};` : null),
    },
    // The loader knows scripts only.
    generateBundle(_, bundle) {
      const styles = Object.keys(bundle).filter((file) => file.endsWith(".css"));
      if (styles.length > 1) this.error(`a part has styles of its own, which are not loaded: ${styles.join(", ")}`);
    },
  };
}
