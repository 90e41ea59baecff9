import type { ReactNode } from "react";
import { GameFrame } from "@/games/rounds/game-frame";
import { useLatency } from "./latency";

type LiveFrameProps = {
  panel: ReactNode;
  stage: ReactNode;
  history: ReactNode;
  rounds: ReactNode;
  note: string | null;
  onOpenFairness(): void;
};

/** The frame of a live game: two tabs, and the bet panel joined to the stage. */
export function LiveFrame({ panel, stage, history, rounds, note, onOpenFairness }: LiveFrameProps) {
  return (
    <GameFrame
      tools={<Latency />}
      onOpenFairness={onOpenFairness}
      table={
        <div className="grid grid-cols-[minmax(0,1fr)] lg:grid-cols-[304px_minmax(0,1fr)]">
          <div className="order-2 lg:order-1">{panel}</div>
          <div className="stage-frame order-1 min-w-0 lg:order-2">{stage}</div>
        </div>
      }
      history={history}
      below={
        <>
          {note !== null && <p className="rounded-panel border border-line bg-panel px-4 py-3 text-14">{note}</p>}
          {rounds}
        </>
      }
    />
  );
}

/** The duration of the last request. On a slow connection a manual cash-out is late. */
function Latency() {
  const latency = useLatency();
  if (latency === null) return null;
  const advice = latency.isSlow ? " Your connection is slow. Automatic cash-outs do not depend on it." : "";
  return (
    <span
      className="px-2 text-12 whitespace-nowrap text-ink-3 max-[23rem]:sr-only"
      title={`The server's last response took ${latency.ms} ms.${advice}`}
    >
      <span className="max-sm:sr-only">Latency </span>
      {latency.ms} ms
      {latency.isSlow && <span className="max-sm:sr-only"> · slow</span>}
    </span>
  );
}
