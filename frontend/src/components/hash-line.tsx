import type { ReactNode } from "react";
import { CopyButton } from "./copy-button";

/** A long value that wraps, with a copy button and perhaps a remark below. */
export function HashLine({ label, value, note }: { label: string; value: string; note?: ReactNode }) {
  return (
    <div className="grid gap-1">
      <p className="text-13 text-ink-3">{label}</p>
      <div className="flex items-center gap-1 rounded-control bg-well py-1 pl-3">
        <code className="min-w-0 flex-1 break-all py-1 font-mono text-12 text-ink-2">{value}</code>
        <CopyButton text={value} label={`Copy ${label.toLowerCase()}`} />
      </div>
      {note !== undefined && <p className="text-13 text-ink-2">{note}</p>}
    </div>
  );
}
