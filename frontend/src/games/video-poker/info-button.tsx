import { Info } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components";
import { LoadedPart } from "@/components/loaded-part";
import { lazyPart } from "@/lib/lazy-part";

const PokerInfo = lazyPart(() => import("./info"));

/** Opens the rules, hand rankings and paytable. */
export function InfoButton() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="small" className="max-sm:w-11" onClick={() => setOpen(true)}>
        <Info aria-hidden className="size-4" />
        <span className="max-sm:sr-only">Rules and payouts</span>
      </Button>
      <LoadedPart isWanted={isOpen} onFailed={() => setOpen(false)}>
        <PokerInfo open={isOpen} onOpenChange={setOpen} />
      </LoadedPart>
    </>
  );
}
