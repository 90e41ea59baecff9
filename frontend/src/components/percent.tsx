import { formatExactPercent } from "@/lib/format";

/** An exact percentage of the games' facts, as "97.30": shown with one decimal, in full where one points at it. */
export function Percent({ exact }: { exact: string }) {
  return <span title={`${exact}%`}>{formatExactPercent(exact)}</span>;
}
