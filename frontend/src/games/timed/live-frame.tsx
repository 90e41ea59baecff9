import { ShieldCheck, Volume2, VolumeX } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button, IconButton } from "@/components/button";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "@/components/tabs";
import { useSound } from "@/lib/sound";
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
  const sound = useSound();
  const [tab, setTab] = useState("bet");
  const SoundIcon = sound.isOn ? Volume2 : VolumeX;
  return (
    <Tabs value={tab} onValueChange={setTab} className="grid grid-cols-[minmax(0,1fr)] gap-3 lg:gap-4">
      <div className="flex items-center justify-between gap-2">
        <TabsList className="min-w-0 max-w-[320px] flex-1">
          <TabsTrigger value="bet">Place Bet</TabsTrigger>
          <TabsTrigger value="history">History</TabsTrigger>
        </TabsList>
        <div className="flex shrink-0 items-center">
          <Latency />
          <IconButton
            label="Sound"
            aria-pressed={sound.isOn}
            icon={<SoundIcon aria-hidden className="size-4" />}
            onClick={sound.toggle}
          />
          <Button variant="ghost" size="small" className="max-sm:w-11" onClick={onOpenFairness}>
            <ShieldCheck aria-hidden className="size-4" />
            <span className="max-sm:sr-only">Provably fair</span>
          </Button>
        </div>
      </div>
      <TabsContent value="bet" forceMount className="overflow-clip rounded-panel bg-panel data-[state=inactive]:hidden">
        <div className="grid grid-cols-[minmax(0,1fr)] lg:grid-cols-[304px_minmax(0,1fr)]">
          <div className="order-2 lg:order-1">{panel}</div>
          <div className="order-1 min-w-0 lg:order-2">{stage}</div>
        </div>
      </TabsContent>
      <TabsContent value="history">{history}</TabsContent>
      {tab === "bet" && note !== null && (
        <p className="rounded-panel border border-line bg-panel px-4 py-3 text-14">{note}</p>
      )}
      {tab === "bet" && rounds}
    </Tabs>
  );
}

/** The duration of the last request. On a slow connection a manual cash-out is late. */
function Latency() {
  const latency = useLatency();
  if (latency === null) return null;
  const advice = latency.isSlow ? " Your connection is slow. Automatic cash-outs do not depend on it." : "";
  return (
    <span className="px-2 text-12 text-ink-3" title={`The server's last response took ${latency.ms} ms.${advice}`}>
      <span className="max-sm:sr-only">Latency </span>
      {latency.ms} ms
      {latency.isSlow && <span className="max-sm:sr-only"> · slow</span>}
    </span>
  );
}
