// The fonts arrive after the texts are shown. Until then a font of the device takes their place, stretched so that a text
// is about as large as it will be: otherwise whole pages would jump when they arrive.

import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { generateFontFace, getMetricsForFamily, readMetrics } from "fontaine";
import type { Plugin } from "vite";

const MODULE = "virtual:font-fallbacks.css";

const FONTS = ["bricolage-grotesque", "instrument-sans"];

/** What Android, Windows, Apple's systems and Linux have. The first that a device has is shown. */
const OF_DEVICES = ["Roboto", "Segoe UI", "Helvetica Neue", "Arial", "Noto Sans", "DejaVu Sans"];

/** Measured in its file: the collection of metrics does not have it. */
const DEJAVU_SANS = { ascent: 1901, descent: -483, lineGap: 0, unitsPerEm: 2048, xWidthAvg: 1041 };

async function fallbacksOf(font: string): Promise<string> {
  const file = createRequire(import.meta.url).resolve(
    `@fontsource-variable/${font}/files/${font}-latin-wght-normal.woff2`,
  );
  const metrics = await readMetrics(pathToFileURL(file));
  if (!metrics) throw new Error(`${file} has no metrics`);
  const names: string[] = [];
  const faces: string[] = [];
  for (const device of OF_DEVICES) {
    const name = `${font} by ${device}`;
    const ofDevice = device === "DejaVu Sans" ? DEJAVU_SANS : await getMetricsForFamily(device);
    if (!ofDevice) throw new Error(`${device} has no metrics`);
    names.push(`"${name}"`);
    faces.push(generateFontFace(metrics, { name, font: device, metrics: ofDevice }));
  }
  return `${faces.join("")}:root { --${font}-fallbacks: ${names.join(", ")}; }\n`;
}

/** A plugin for vite. `--FONT-fallbacks` are the names of the fonts to show until FONT has arrived. */
export function fontFallbacks(): Plugin {
  return {
    name: "font-fallbacks",
    resolveId: (id) => (id === MODULE ? `\0${MODULE}` : null),
    load: async (id) => (id === `\0${MODULE}` ? (await Promise.all(FONTS.map(fallbacksOf))).join("") : null),
  };
}
