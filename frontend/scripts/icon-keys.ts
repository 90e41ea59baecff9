// Leaves the React keys out of the icons of lucide: the shapes of an icon never change their order, so that React needs
// no keys for them, and being random they are nearly all of an icon that does not compress.

import type { Plugin } from "vite";

/** A plugin for vite. */
export function withoutIconKeys(): Plugin {
  return {
    name: "without-icon-keys",
    apply: "build",
    transform: {
      filter: { id: /lucide-react\/dist\/esm\/icons\// },
      handler: (code) => ({ code: code.replace(/,\s*key: "\w+"/g, ""), map: null }),
    },
  };
}
