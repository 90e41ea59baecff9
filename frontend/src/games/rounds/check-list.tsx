import type { Check } from "@/lib/fairness/check";

type CheckListProps = {
  checks: readonly Check[];
  /** What the value is called that a computed one is not equal to. */
  claimedLabel: string;
  "aria-label"?: string;
};

/** What a verification has computed, and where that is not what was claimed. */
export function CheckList({ checks, claimedLabel, "aria-label": label }: CheckListProps) {
  return (
    <ul aria-label={label} className="grid gap-2">
      {checks.map(({ name, computed, claimed, note, holds }) => (
        <li key={name} className="rounded-control bg-well p-3">
          <p className="text-13 text-ink-3">{name}</p>
          <p className="break-all font-mono text-12">{computed}</p>
          {note !== undefined && <p className="text-13 text-ink-2">{note}</p>}
          {!holds && (
            <p className="break-all font-mono text-12 text-notice">
              {claimedLabel}: {claimed}
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}
