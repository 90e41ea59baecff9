import { cn } from "@/lib/class-names";
import { formatChange, formatDollars } from "@/lib/money";

type AmountProps = { cents: number; signed?: boolean; className?: string };

/** An amount; if signed, with plus or minus and the matching colour. */
export function Amount({ cents, signed = false, className }: AmountProps) {
  if (!signed) return <span className={className}>{formatDollars(cents)}</span>;
  const colour = cents > 0 ? "text-win" : cents < 0 ? "text-loss" : "text-ink-2";
  return <span className={cn(colour, className)}>{formatChange(cents)}</span>;
}
