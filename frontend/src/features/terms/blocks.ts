/** A part of the Terms of Service. */
export type Block =
  | { kind: "heading"; text: string; id: string }
  | { kind: "paragraph"; text: string }
  | { kind: "list"; items: string[] };

/** "1. Who can play" is at #who-can-play. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/^[\d.\s]+/, "")
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-|-$/g, "");

/**
 * The parts of a text: blank lines separate paragraphs, a line that begins with `# ` is a heading, and one that begins
 * with `- ` an item of a list.
 */
export function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let isContinued = false;
  for (const line of text.split("\n").map((each) => each.trim())) {
    const last = blocks.at(-1);
    if (line === "") {
      isContinued = false;
    } else if (line.startsWith("# ")) {
      const heading = line.slice(2).trim();
      blocks.push({ kind: "heading", text: heading, id: anchorOf(heading) });
      isContinued = false;
    } else if (line.startsWith("- ")) {
      const item = line.slice(2).trim();
      if (isContinued && last?.kind === "list") last.items.push(item);
      else blocks.push({ kind: "list", items: [item] });
      isContinued = true;
    } else if (isContinued && last?.kind === "paragraph") {
      last.text += ` ${line}`;
    } else if (isContinued && last?.kind === "list") {
      last.items.push(`${last.items.pop() ?? ""} ${line}`);
    } else {
      blocks.push({ kind: "paragraph", text: line });
      isContinued = true;
    }
  }
  return blocks;
}
