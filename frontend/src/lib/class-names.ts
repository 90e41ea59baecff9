import { type ClassValue, clsx } from "clsx";
import { extendTailwindMerge } from "tailwind-merge";

// Registers our own scales, so that text-14 (a size) and text-ink (a colour) do not override each other.
const merge = extendTailwindMerge({
  extend: {
    classGroups: {
      "font-size": [{ text: ["12", "13", "14", "16", "20", "28", "40", "64", "104"] }],
      rounded: [{ rounded: ["chip", "control", "panel"] }],
    },
  },
});

/** Joins class names; later ones override earlier ones of the same kind. */
export function cn(...values: ClassValue[]): string {
  return merge(clsx(values));
}
