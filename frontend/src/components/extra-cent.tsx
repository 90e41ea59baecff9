import { formatPercent } from "@/lib/format";

/** Below the amount of a win, in its list: how often a fraction of a cent makes it one cent more. */
export function ExtraCent({ chance }: { chance: number }) {
  return chance === 0 ? null : (
    <dd className="col-span-2 text-right text-13 text-ink-3">one cent more in {formatPercent(chance)} of wins</dd>
  );
}
