import { useState } from "react";
import { Link } from "@/lib/address";
import { Dialog, Tabs, TabsContent, TabsList, TabsTrigger } from "@/components";
import { PairsTab } from "./pairs-tab";
import { SeedsTab } from "./seeds-tab";
import { VerifyTab } from "./verify-tab";

type FairnessDialogProps = { open: boolean; onOpenChange(open: boolean): void; roundId?: number | undefined };

/** The player's seeds, and the verifier. */
export function FairnessDialog({ open, onOpenChange, roundId }: FairnessDialogProps) {
  // Mounted each time it is opened, so the initial tab is chosen once.
  const [tab, setTab] = useState(roundId === undefined ? "seeds" : "verify");
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Provably fair"
      description={
        <>
          Every round can be verified. You do not have to trust us: see the{" "}
          <Link
            to="/transparency"
            onClick={() => onOpenChange(false)}
            className="text-ink underline underline-offset-4 hover:text-brass"
          >
            public record
          </Link>
          .
        </>
      }
      wide
      fixedTop
    >
      {/* On a phone the sheet is as high as it can be for each tab, or the tabs would move when another one is chosen. */}
      <Tabs value={tab} onValueChange={setTab} className="grid content-start gap-5 max-sm:min-h-[calc(100dvh-234px)]">
        <TabsList>
          <TabsTrigger value="seeds">Seeds</TabsTrigger>
          <TabsTrigger value="pairs">Pairs</TabsTrigger>
          <TabsTrigger value="verify">Verify</TabsTrigger>
        </TabsList>
        <TabsContent value="seeds">
          <SeedsTab />
        </TabsContent>
        <TabsContent value="pairs">
          <PairsTab />
        </TabsContent>
        <TabsContent value="verify">
          <VerifyTab roundId={roundId} onRotate={() => setTab("seeds")} />
        </TabsContent>
      </Tabs>
    </Dialog>
  );
}
