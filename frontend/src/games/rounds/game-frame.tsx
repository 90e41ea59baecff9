import { ShieldCheck } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Button } from "@/components/button";
import { SoundButton } from "@/components/sound-button";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "@/components/tabs";
import { HotkeysOff } from "@/lib/hotkeys";

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

/**
 * The frame of a game with two tabs: its table, and the player's history of it. On a low phone the table comes before
 * the tabs, because the stage needs all the room between the header and the dock.
 */
export function GameFrame({ tools, table, history, below, onOpenFairness }: GameFrameProps) {
  const [tab, setTab] = useState("bet");
  const top = useRef<HTMLDivElement>(null);
  const shown = useRef(tab);
  useEffect(() => {
    if (shown.current === tab) return;
    shown.current = tab;
    // The tabs may be far below the top of what they show.
    if (top.current && top.current.getBoundingClientRect().top < 0) top.current.scrollIntoView();
  }, [tab]);
  return (
    <Tabs
      ref={top}
      value={tab}
      onValueChange={setTab}
      data-game-tab={tab}
      className="game-frame grid grid-cols-[minmax(0,1fr)] gap-3 lg:gap-4"
    >
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
      <TabsContent
        value="bet"
        forceMount
        className="overflow-clip rounded-panel bg-panel low:-order-1 data-[state=inactive]:hidden"
      >
        <HotkeysOff value={tab !== "bet"}>{table}</HotkeysOff>
      </TabsContent>
      <TabsContent value="history">{history}</TabsContent>
      {tab === "bet" && below}
    </Tabs>
  );
}
