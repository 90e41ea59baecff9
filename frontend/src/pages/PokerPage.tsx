import { Info } from "lucide-react";
import { useState } from "react";
import { useAppDialogs } from "@/app/dialogs";
import { Button, LinkButton, PageHeader, Percent } from "@/components";
import { PokerGame } from "@/features/poker";
import { facts } from "@/lib/facts";
import { PageFrame } from "./page-frame";
import { PokerInfo } from "./poker-info";

export default function PokerPage() {
  const { openFairness } = useAppDialogs();
  const [isInfoOpen, setInfoOpen] = useState(false);
  return (
    <PageFrame>
      <PageHeader
        title="Jacks or Better Video Poker"
        subtitle={
          <>
            RTP <Percent exact={facts.video_poker.rtp_percent_maximum_bet} /> with best play at the maximum bet, <Percent exact={facts.video_poker.rtp_percent_below} /> below it.
          </>
        }
        backTo={{ to: "/", label: "Back" }}
        actions={
          <Button size="small" onClick={() => setInfoOpen(true)}>
            <Info aria-hidden className="size-4" />
            Rules and payouts
          </Button>
        }
      />
      <PokerGame onVerifyRound={openFairness} onOpenFairness={() => openFairness()} />
      <div className="flex flex-wrap items-center justify-between gap-3 rounded-panel bg-panel p-5">
        <p className="text-14 text-ink-2">There is also heads-up hold'em, played against 1 opponent.</p>
        <LinkButton to="/dashboard/poker" size="small">
          Play heads-up
        </LinkButton>
      </div>
      <PokerInfo open={isInfoOpen} onOpenChange={setInfoOpen} />
    </PageFrame>
  );
}
