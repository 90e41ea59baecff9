import { cva, type VariantProps } from "class-variance-authority";
import type { ReactNode } from "react";
import { cn } from "@/lib/class-names";

const badge = cva("inline-flex items-center edge whitespace-nowrap rounded-chip px-1.5 py-0.5 text-12 font-medium", {
  variants: {
    tone: {
      neutral: "bg-line text-ink-2",
      win: "bg-line text-win",
      notice: "bg-line text-notice",
      // Red has too little contrast on the lighter background of the others.
      loss: "bg-raised text-loss",
      info: "bg-line text-info",
      brass: "bg-brass text-on-brass",
    },
  },
  defaultVariants: { tone: "neutral" },
});

export function Badge({
  tone,
  className,
  children,
}: VariantProps<typeof badge> & { className?: string; children: ReactNode }) {
  return <span className={cn(badge({ tone }), className)}>{children}</span>;
}

export type ResultChip = { id: number; text: string; isWin: boolean };

type ResultChipsProps = { label: string; results: ResultChip[]; onSelect?: ((id: number) => void) | undefined };

/** The latest results, newest first; each says in words whether it won. */
export function ResultChips({ label, results, onSelect }: ResultChipsProps) {
  return (
    <ul aria-label={label} className="chips flex min-w-0 flex-wrap gap-1.5 overflow-hidden">
      {results.map((result) => (
        <li key={result.id}>
          <button
            type="button"
            onClick={() => onSelect?.(result.id)}
            aria-label={`${result.text}, ${result.isWin ? "won" : "lost"}: verify`}
            className={cn(
              "target min-w-11 whitespace-nowrap rounded-chip bg-panel px-2.5 text-13 font-semibold hover:bg-raised",
              result.isWin ? "text-win" : "text-ink-3",
            )}
          >
            {result.text}
          </button>
        </li>
      ))}
    </ul>
  );
}
