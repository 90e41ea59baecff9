import { formatExactPercent } from "@/lib/format";

/** An exact percentage such as "97.30": shown with one decimal, in full on hover. */
export function Percent({ exact }: { exact: string }) {
  return <span title={`${exact}%`}>{formatExactPercent(exact)}</span>;
}
