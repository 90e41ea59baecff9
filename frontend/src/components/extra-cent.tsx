import { formatPercent } from "@/lib/format";

/** Shown below the amount of a win: the chance that rounding adds one cent. */
export function ExtraCent({ chance }: { chance: number }) {
  return chance === 0 ? null : (
    <dd className="col-span-2 text-right text-13 text-ink-3">one cent more in {formatPercent(chance)} of wins</dd>
  );
}
