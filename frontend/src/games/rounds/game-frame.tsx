import { ShieldCheck } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "@/components/button";
import { SoundButton } from "@/components/sound-button";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "@/components/tabs";

type GameFrameProps = {
  /** Beside the buttons that every game has. */
  tools?: ReactNode;
  /** The bet panel joined to the stage. */
  table: ReactNode;
  history: ReactNode;
  /** What stands below the table. */
  below: ReactNode;
  onOpenFairness(): void;
};

/** The frame of a game with two tabs: its table, and the player's history of it. */
export function GameFrame({ tools, table, history, below, onOpenFairness }: GameFrameProps) {
  const [tab, setTab] = useState("bet");
  return (
    <Tabs value={tab} onValueChange={setTab} className="grid grid-cols-[minmax(0,1fr)] gap-3 lg:gap-4">
      <div className="flex items-center justify-between gap-2">
        <TabsList className="min-w-0 max-w-[320px] flex-1">
          <TabsTrigger value="bet">Place Bet</TabsTrigger>
          <TabsTrigger value="history">History</TabsTrigger>
        </TabsList>
        <div className="flex shrink-0 items-center">
          {tools}
          <SoundButton />
          <Button variant="ghost" size="small" className="max-sm:w-11" onClick={onOpenFairness}>
            <ShieldCheck aria-hidden className="size-4" />
            <span className="max-sm:sr-only">Provably fair</span>
          </Button>
        </div>
      </div>
      <TabsContent value="bet" forceMount className="overflow-clip rounded-panel bg-panel data-[state=inactive]:hidden">
        {table}
      </TabsContent>
      <TabsContent value="history">{history}</TabsContent>
      {tab === "bet" && below}
    </Tabs>
  );
}
