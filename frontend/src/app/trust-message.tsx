import { ShieldAlert } from "lucide-react";
import { useId, useState } from "react";
import type { Failure } from "@/api/trust/status";
import { currentWatcher } from "@/api/trust/watch";
import { Button, toast } from "@/components";
import { saveFile } from "@/lib/save-file";
import { EVIDENCE_FILE } from "@/lib/trust/evidence";

/** The rest is in the file. */
const MAX_SHOWN = 3;

async function close(): Promise<void> {
  await (await currentWatcher())?.closeFailures();
}

/** What was found, and how to save the evidence. */
export default function TrustMessage({ failures }: { failures: readonly Failure[] }) {
  const titleId = useId();
  const [savedCount, setSavedCount] = useState(0);
  async function save() {
    try {
      const evidence = await (await currentWatcher())?.evidence();
      if (evidence === undefined) return;
      saveFile(EVIDENCE_FILE, "application/json", `${JSON.stringify(evidence, null, 2)}\n`);
      setSavedCount(failures.length);
    } catch {
      toast({ title: "Error", description: "The evidence could not be saved.", variant: "destructive" });
    }
  }
  return (
    <section
      aria-labelledby={titleId}
      className="flex flex-wrap items-start gap-x-6 gap-y-3 border-b-2 border-notice bg-raised px-4 py-3 lg:px-6"
    >
      <div className="flex min-w-0 flex-1 basis-[20rem] gap-3">
        <ShieldAlert aria-hidden className="mt-0.5 size-5 shrink-0 text-notice" />
        <div className="grid min-w-0 gap-1 text-14">
          <p id={titleId} className="text-16 font-semibold text-notice">
            Your browser found something that an honest house does not do
          </p>
          <ul className="grid gap-1 break-words">
            {failures.slice(0, MAX_SHOWN).map(({ name, message }) => (
              <li key={name}>{message}</li>
            ))}
          </ul>
          {failures.length > MAX_SHOWN && <p>And {failures.length - MAX_SHOWN} more.</p>}
          <p className="text-ink-2">
            Stop playing and save the evidence. Anyone can check it without this page and without trusting us.
          </p>
        </div>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" onClick={() => void save()}>
          Save evidence
        </Button>
        {savedCount === failures.length && <Button onClick={() => void close()}>Close</Button>}
      </div>
    </section>
  );
}
