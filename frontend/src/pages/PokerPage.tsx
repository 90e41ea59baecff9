import { Info } from "lucide-react";
import { useState } from "react";
import { useAppDialogs } from "@/app/dialogs";
import { Button, PageHeader, Percent } from "@/components";
import { facts } from "@/lib/facts";
import { GameNote } from "./game-note";
import { PageFrame } from "./page-frame";
import { PokerInfo } from "./poker-info";
import PokerTables from "./poker-tables";
import { usePokerTable } from "./use-poker-table";

const NOTE = (
  <>
    RTP <Percent exact={facts.video_poker.rtp_percent_maximum_bet} /> with best play at the maximum bet, <Percent exact={facts.video_poker.rtp_percent_below} /> below it.
  </>
);
const HEADS_UP_NOTE = "Played against 1 opponent: the house.";

export default function PokerPage() {
  const { openFairness } = useAppDialogs();
  const isHeadsUp = usePokerTable() === "heads-up";
  const [isInfoOpen, setInfoOpen] = useState(false);
  return (
    <PageFrame>
      <PageHeader
        isGame
        title={isHeadsUp ? "Heads-up Hold'em" : "Jacks or Better Video Poker"}
        subtitle={isHeadsUp ? HEADS_UP_NOTE : NOTE}
        backTo={{ to: "/", label: "Back" }}
        actions={
          !isHeadsUp && (
            <Button size="small" className="max-sm:w-11" onClick={() => setInfoOpen(true)}>
              <Info aria-hidden className="size-4" />
              <span className="max-sm:sr-only">Rules and payouts</span>
            </Button>
          )
        }
      />
      <PokerTables onVerifyRound={openFairness} onOpenFairness={() => openFairness()} />
      <GameNote>{isHeadsUp ? HEADS_UP_NOTE : NOTE}</GameNote>
      <PokerInfo open={isInfoOpen} onOpenChange={setInfoOpen} />
    </PageFrame>
  );
}
