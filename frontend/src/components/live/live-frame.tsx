import { ShieldCheck, Volume2, VolumeX } from "lucide-react";
import type { ReactNode } from "react";
import { useSound } from "@/lib/sound";
import { Button, IconButton } from "../button";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "../tabs";

type LiveFrameProps = { panel: ReactNode; stage: ReactNode; history: ReactNode; onOpenFairness(): void };

/** What a live game stands in: two tabs, and the bet panel fused to the stage. */
export function LiveFrame({ panel, stage, history, onOpenFairness }: LiveFrameProps) {
  const sound = useSound();
  const SoundIcon = sound.isOn ? Volume2 : VolumeX;
  return (
    <Tabs defaultValue="bet" className="grid gap-4">
      <div className="flex items-center justify-between gap-2">
        <TabsList className="min-w-0 max-w-[320px] flex-1">
          <TabsTrigger value="bet">Place Bet</TabsTrigger>
          <TabsTrigger value="history">History</TabsTrigger>
        </TabsList>
        <div className="flex shrink-0 items-center">
          <IconButton label="Sound" aria-pressed={sound.isOn} icon={<SoundIcon aria-hidden className="size-4" />} onClick={sound.toggle} />
          <Button variant="ghost" size="small" className="max-sm:w-11" onClick={onOpenFairness}>
            <ShieldCheck aria-hidden className="size-4" />
            <span className="max-sm:sr-only">Provably fair</span>
          </Button>
        </div>
      </div>
      <TabsContent value="bet" forceMount className="overflow-clip rounded-panel bg-panel data-[state=inactive]:hidden">
        <div className="grid lg:grid-cols-[304px_1fr]">
          <div className="order-2 lg:order-1">{panel}</div>
          <div className="order-1 min-w-0 lg:order-2">{stage}</div>
        </div>
      </TabsContent>
      <TabsContent value="history">{history}</TabsContent>
    </Tabs>
  );
}
