import { CircleAlert, FileCheck, ShieldCheck } from "lucide-react";
import { type ProofStatus, useProofStatus } from "@/api/trust/status";
import { cn } from "@/lib/class-names";

const MARKS = {
  recorded: { Icon: FileCheck, text: "recorded", title: "Your browser has a valid signed receipt of this round." },
  proved: {
    Icon: ShieldCheck,
    text: "proved",
    title: "Your browser has a valid receipt, and the round is in the public record.",
  },
  failed: { Icon: CircleAlert, text: "not proved", title: "The house's statements about this round do not hold." },
} as const satisfies Record<ProofStatus, unknown>;

type ProofMarkProps = {
  roundId: number;
  /** Whether only the symbol is shown; screen readers get the word. */
  isCompact?: boolean;
  className?: string;
};

/** How far this browser has verified a round. It takes its space from the start, so that nothing moves. */
export function ProofMark({ roundId, isCompact = false, className }: ProofMarkProps) {
  const status = useProofStatus(roundId);
  const mark = status && MARKS[status];
  return (
    <span
      title={mark?.title}
      className={cn(
        "inline-flex h-4 items-center gap-1 whitespace-nowrap text-12",
        isCompact && "w-3.5",
        status === "proved" ? "text-info" : status === "failed" ? "text-notice" : "text-ink-3",
        className,
      )}
    >
      {mark && (
        <>
          <mark.Icon aria-hidden className="size-3.5 shrink-0" />
          <span className={isCompact ? "sr-only" : undefined}>{mark.text}</span>
        </>
      )}
    </span>
  );
}
