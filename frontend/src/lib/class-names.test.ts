// Classes are joined without looking at what they do, so two utilities of one kind would both be in effect.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { extendTailwindMerge } from "tailwind-merge";
import { expect, it } from "vitest";

/** Knows which utilities override each other. Registers our own scales, so that text-14 (a size) and text-ink (a colour) do not. */
const merge = extendTailwindMerge({
  extend: {
    classGroups: {
      "font-size": [{ text: ["12", "13", "14", "16", "20", "28", "40", "64", "104"] }],
      rounded: [{ rounded: ["chip", "control", "panel"] }],
    },
  },
});

/** The arguments of every `cn(…)` in a source text. */
function callsIn(text: string): string[][] {
  return [...text.matchAll(/\bcn\(/g)].map(({ index }) => {
    const parts = [""];
    let depth = 1;
    for (const letter of text.slice(index + 3)) {
      if ("([{".includes(letter)) depth += 1;
      if (")]}".includes(letter)) depth -= 1;
      if (depth === 0) break;
      if (letter === "," && depth === 1) parts.push("");
      else parts[parts.length - 1] += letter;
    }
    return parts.map((part) => part.trim());
  });
}

const quoted = (text: string): string[] => [...text.matchAll(/"([^"]*)"/g)].map(([, classes]) => classes ?? "");

/** The classes that are always set and that a condition would override. */
function overridden(parts: string[]): string[] {
  const always = parts
    .filter((part) => /^"[^"]*"$/.test(part))
    .flatMap(quoted)
    .join(" ");
  // What a condition compares with is no class.
  const sometimes = parts
    .filter((part) => !/^"[^"]*"$/.test(part))
    .map((part) => part.replaceAll(/===? *"[^"]*"/g, ""));
  return sometimes.flatMap(quoted).flatMap((classes) => {
    const kept = merge(`${always} ${classes}`).split(" ");
    return always.split(" ").filter((name) => name !== "" && !kept.includes(name));
  });
}

it("finds a class that a condition would override", () => {
  expect(callsIn('cn("p-3 text-14", isWide && "p-4", f("x", 1))').flatMap(overridden)).toEqual(["p-3"]);
  expect(callsIn('cn("p-3 text-14 text-ink", view === "p-4" && "max-sm:p-2")').flatMap(overridden)).toEqual([]);
});

it("joins no two utilities of the same kind", () => {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".tsx"));
  const found = files.flatMap((name) =>
    callsIn(readFileSync(join("src", name), "utf8"))
      .flatMap(overridden)
      .map((classes) => `${name}: ${classes}`),
  );
  expect(files.length).toBeGreaterThan(100);
  expect(found).toEqual([]);
});
