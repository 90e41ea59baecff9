import type { ReactNode } from "react";
import { type ResultChip, ResultChips } from "@/components/badge";
import { Watermark } from "@/games/rounds/watermark";
import { cn } from "@/lib/class-names";
import type { LiveView } from "./live-view";
import { useConnection } from "@/api/live/use-connection";

type LiveStageProps = {
  view: LiveView;
  phase: string;
  isPlaying: boolean;
  multiplier: string;
  caption: ReactNode;
  tone: "plain" | "won" | "lost";
  /** What the chart shows, for screen readers; null while it changes. */
  chartLabel: string | null;
  chips: ResultChip[];
  /** A chart 300 px high, below the number, instead of one that fills the available height. */
  isLow?: boolean;
  onVerifyRound(id: number): void;
};

const TONES = { plain: "text-ink", won: "text-win", lost: "text-loss" };

/** The chart with the multiplier, and the latest results. */
export function LiveStage({
  view,
  isPlaying,
  chartLabel,
  chips,
  isLow = false,
  onVerifyRound,
  ...text
}: LiveStageProps) {
  const { attach } = view.chart;
  return (
    <div
      className={cn(
        "stage grid h-full grid-cols-[minmax(0,1fr)] bg-well",
        isLow ? "grid-rows-[auto_1fr_auto]" : "grid-rows-[auto_1fr]",
      )}
    >
      <Watermark />
      <div className={cn("min-w-0 p-3", isLow && "max-lg:order-last")}>
        <ResultChips label="Last results" results={chips} onSelect={onVerifyRound} />
      </div>
      {/* A market goes anywhere, so that nothing may stand over it. */}
      {isLow && <Figures isLow view={view} {...text} className="px-4 pb-1 max-lg:pt-3 low:py-0 lg:px-6" />}
      <div
        data-testid="chart"
        className={cn(
          "relative min-w-0 overflow-hidden will-change-transform",
          isLow ? "h-[300px] self-end" : "min-h-[200px] low:min-h-[180px]",
        )}
      >
        <canvas
          ref={attach}
          {...(chartLabel === null ? { "aria-hidden": true } : { role: "img", "aria-label": chartLabel })}
          className="absolute inset-0 size-full"
        />
        {/* The curve rises from the lower left to the upper right, and leaves this corner free. */}
        {!isLow && (
          <Figures
            view={view}
            {...text}
            className="pointer-events-none absolute inset-0 px-4 pt-1 contain-strict lg:px-8 lg:pt-4"
          />
        )}
        <ConnectionNotice isPlaying={isPlaying} />
      </div>
    </div>
  );
}

type FiguresProps = Pick<LiveStageProps, "view" | "phase" | "multiplier" | "caption" | "tone" | "isLow"> & {
  className: string;
};

/** The large number, what it means, and the open profit. */
function Figures({ view, phase, multiplier, caption, tone, isLow = false, className }: FiguresProps) {
  const { multiplier: number, caption: line, profit } = view;
  const [attachNumber, attachLine, attachProfit] = [number.attach, line.attach, profit.attach];
  return (
    <div
      className={cn(
        "grid content-start justify-items-start gap-1",
        isLow && "low:flex low:flex-wrap low:items-baseline low:gap-x-3",
        className,
      )}
    >
      {/* Keyed by phase, because during a round the frames write into it, not React. */}
      <p
        key={phase}
        ref={attachNumber}
        aria-hidden
        data-testid="multiplier"
        className={cn(
          "display whitespace-nowrap font-bold lg:text-104",
          isLow ? "text-40 low:text-28 short:text-20" : "text-64 short:text-40",
          TONES[tone],
        )}
      >
        {multiplier}
      </p>
      <div className="flex min-h-5 flex-wrap gap-x-2 text-14">
        <p key={`${phase}-caption`} ref={attachLine} className="text-ink-2">
          {caption}
        </p>
        <span
          key={`${phase}-profit`}
          ref={attachProfit}
          data-testid="open-profit"
          className="font-semibold data-[tone=loss]:text-loss data-[tone=win]:text-win"
        />
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
