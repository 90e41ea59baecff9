import type { ReactNode } from "react";
import { cn } from "@/lib/class-names";

const TONES = {
  neutral: "badge-neutral",
  win: "badge-win",
  notice: "badge-notice",
  loss: "badge-loss",
  info: "badge-info",
  brass: "badge-brass",
};

type BadgeProps = { tone?: keyof typeof TONES; className?: string; children: ReactNode };

export function Badge({ tone = "neutral", className, children }: BadgeProps) {
  return <span className={cn("badge", TONES[tone], className)}>{children}</span>;
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
