export type Palette = {
  line: string;
  ink: string;
  quiet: string;
  live: string;
  lost: string;
  won: string;
  surface: string;
};

const VARIABLES: Record<keyof Palette, [name: string, otherwise: string]> = {
  line: ["--color-line", "#303e38"],
  ink: ["--color-ink", "#eef3f0"],
  quiet: ["--color-ink-3", "#949e99"],
  live: ["--color-brass", "#f9c13b"],
  lost: ["--color-loss", "#fd736d"],
  won: ["--color-win", "#47e684"],
  surface: ["--color-raised", "#1d2b26"],
};

/** The theme's colours, from the same CSS variables as the rest of the page. */
export function paletteOf(element: Element): Palette {
  const style = getComputedStyle(element);
  const colour = ([name, otherwise]: [string, string]) => style.getPropertyValue(name).trim() || otherwise;
  return {
    line: colour(VARIABLES.line),
    ink: colour(VARIABLES.ink),
    quiet: colour(VARIABLES.quiet),
    live: colour(VARIABLES.live),
    lost: colour(VARIABLES.lost),
    won: colour(VARIABLES.won),
    surface: colour(VARIABLES.surface),
  };
}
