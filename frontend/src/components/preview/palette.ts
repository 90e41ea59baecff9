/** The theme's colours that a drawing uses. */
export type PreviewPalette = Record<"well" | "raised" | "line" | "quiet" | "ink" | "brass" | "info", string>;

const VARIABLES: Record<keyof PreviewPalette, [name: string, otherwise: string]> = {
  well: ["--color-well", "#07100c"],
  raised: ["--color-raised", "#1d2b26"],
  line: ["--color-line", "#303e38"],
  quiet: ["--color-ink-3", "#949e99"],
  ink: ["--color-ink", "#eef3f0"],
  brass: ["--color-brass", "#f9c13b"],
  info: ["--color-info", "#64c4f0"],
};

/** Reads the colours from the same CSS variables as the rest of the page. */
export function previewPaletteOf(element: Element): PreviewPalette {
  const style = getComputedStyle(element);
  const colour = (name: keyof PreviewPalette) =>
    style.getPropertyValue(VARIABLES[name][0]).trim() || VARIABLES[name][1];
  return {
    well: colour("well"),
    raised: colour("raised"),
    line: colour("line"),
    quiet: colour("quiet"),
    ink: colour("ink"),
    brass: colour("brass"),
    info: colour("info"),
  };
}
