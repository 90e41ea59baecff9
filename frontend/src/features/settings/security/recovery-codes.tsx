import { Download } from "lucide-react";
import { useEffect, useRef } from "react";
import { Button, CopyButton } from "@/components";

/** The codes as a file. */
const fileOf = (codes: readonly string[]): string =>
  `Recovery codes for Glasshouse. Each works once.\n\n${codes.join("\n")}\n`;

/** New recovery codes, which are never shown again. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone(): void }) {
  const heading = useRef<HTMLParagraphElement>(null);
  useEffect(() => heading.current?.focus(), []);
  function download() {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([fileOf(codes)], { type: "text/plain" }));
    link.download = "glasshouse-recovery-codes.txt";
    link.click();
    URL.revokeObjectURL(link.href);
  }
  return (
    <div className="grid gap-4">
      <p ref={heading} tabIndex={-1} className="text-pretty text-14 outline-none">
        Save these recovery codes now: they are not shown again. Each replaces your second factor once, for the day on
        which you do not have it.
      </p>
      <ol aria-label="Recovery codes" className="grid gap-x-6 gap-y-2 rounded-control bg-well p-4 sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>
            <code className="text-14 tabular-nums">{code}</code>
          </li>
        ))}
      </ol>
      <div className="flex flex-wrap items-center gap-3">
        <Button variant="primary" onClick={onDone}>
          I have saved them
        </Button>
        <Button onClick={download}>
          <Download aria-hidden className="size-4" />
          Download
        </Button>
        <CopyButton text={codes.join("\n")} label="Copy the recovery codes" />
      </div>
    </div>
  );
}
