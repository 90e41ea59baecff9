import { Button, toast } from "@/components";
import type { FoundFailure, TrustStore } from "@/lib/trust/store";
import { saveEvidence } from "./use-log-check";

async function save(store: TrustStore): Promise<void> {
  try {
    await saveEvidence(store);
  } catch {
    toast({ title: "Error", description: "The evidence could not be saved.", variant: "destructive" });
  }
}

/** What does not hold, with the evidence. */
export function Failures({ failures, store }: { failures: readonly FoundFailure[]; store: TrustStore }) {
  return (
    <div role="alert" className="grid justify-items-start gap-3 rounded-control border border-notice p-4 text-14">
      <p className="font-semibold text-notice">Your browser found something that an honest house does not do</p>
      <ul className="grid gap-1 break-words">
        {failures.map(({ kind, subject, message }) => (
          <li key={`${kind} ${subject}`}>{message}</li>
        ))}
      </ul>
      <Button onClick={() => void save(store)}>Save evidence</Button>
    </div>
  );
}
