import type { ReactNode } from "react";
import { type ResultChip, ResultChips } from "@/components/badge";
import { cn } from "@/lib/class-names";
import type { LiveView } from "./live-view";
import { useConnection } from "./use-connection";

type LiveStageProps = {
  view: LiveView;
  phase: string;
  isPlaying: boolean;
  multiplier: string;
  caption: ReactNode;
  tone: "plain" | "won" | "lost";
  chips: ResultChip[];
  /** A chart 300 px high instead of one that fills the available height. */
  isLow?: boolean;
  onVerifyRound(id: number): void;
};

const TONES = { plain: "text-ink", won: "animate-[flash_400ms_var(--ease-house)] text-win", lost: "text-loss" };

/** The chart with the multiplier over it, and the latest results. */
export function LiveStage({
  view,
  phase,
  isPlaying,
  multiplier,
  caption,
  tone,
  chips,
  isLow = false,
  onVerifyRound,
}: LiveStageProps) {
  const { chart, multiplier: number, caption: line } = view;
  const [attachChart, attachNumber, attachLine] = [chart.attach, number.attach, line.attach];
  return (
    <div className="stage relative grid h-full grid-cols-[minmax(0,1fr)] grid-rows-[auto_1fr] bg-well">
      <div className="min-w-0 p-3">
        <ResultChips label="Last results" results={chips} onSelect={onVerifyRound} />
      </div>
      <div
        data-testid="chart"
        className={cn("relative min-w-0 overflow-hidden", isLow ? "h-[300px] self-center" : "min-h-[200px]")}
      >
        <canvas ref={attachChart} aria-hidden className="absolute inset-0 size-full" />
        <div className="pointer-events-none relative grid h-full content-center justify-items-center gap-2 p-4 text-center">
          {/* Keyed by phase, because during a round the frames write into it, not React. */}
          <p
            key={phase}
            ref={attachNumber}
            aria-hidden
            data-testid="multiplier"
            className={cn("display whitespace-nowrap text-64 font-bold lg:text-104", TONES[tone])}
          >
            {multiplier}
          </p>
          <p
            key={`${phase}-caption`}
            ref={attachLine}
            className="min-h-5 rounded-chip bg-well/70 px-1.5 text-14 text-ink-2"
          >
            {caption}
          </p>
        </div>
        <ConnectionNotice isPlaying={isPlaying} />
      </div>
    </div>
  );
}

/** Says that no events arrive. It overlays the chart, so that nothing moves. */
function ConnectionNotice({ isPlaying }: { isPlaying: boolean }) {
  const isLost = useConnection() === "lost";
  return (
    <div role="status" className="pointer-events-none absolute inset-x-3 bottom-3 flex justify-center">
      {isLost && (
        <p className="rounded-control border border-line bg-raised px-3 py-2 text-13 text-ink">
          {isPlaying
            ? "Connection lost. The round continues; the server settles it."
            : "Connection lost. Reconnecting…"}
        </p>
      )}
    </div>
  );
}
