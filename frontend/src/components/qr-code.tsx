import { useMemo } from "react";
import { encode } from "uqr";
import { cn } from "@/lib/class-names";

/** QR readers need this many modules of empty space around the code. */
const QUIET_MODULES = 4;

/** One rectangle per horizontal run of dark modules. */
function pathOf(rows: readonly (readonly boolean[])[]): string {
  const runs: string[] = [];
  for (const [y, row] of rows.entries()) {
    let x = 0;
    while (x < row.length) {
      const from = x;
      while (row[x] === true) x += 1;
      if (x > from) runs.push(`M${from} ${y}h${x - from}v1h${from - x}z`);
      x += 1;
    }
  }
  return runs.join("");
}

/** A text as a QR code, dark on light as readers require. */
export function QrCode({ text, label, className }: { text: string; label: string; className?: string }) {
  const { path, size } = useMemo(() => {
    const code = encode(text, { ecc: "M", border: QUIET_MODULES });
    return { path: pathOf(code.data), size: code.size };
  }, [text]);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className={cn("rounded-control bg-card text-card-ink", className)}
    >
      <path d={path} fill="currentColor" />
    </svg>
  );
}
