import { ChevronUp } from "lucide-react";
import { Suspense, useState } from "react";
import { LateDialog as Dialog } from "@/components/late-dialog";
import { Skeleton } from "@/components/spinner";
import { lazyPart } from "@/lib/lazy-part";
import type { MyBetsProps } from "./my-bets";
import { TabBoundary } from "./tab-boundary";

const MyBets = lazyPart(() => import("./my-bets"));

/** On a phone, the player's own bets slide over the stage: a button in the dock opens them. */
export default function MyBetsSheet(props: MyBetsProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        className="dock-bets flex items-center gap-1 px-4 text-13 font-medium"
      >
        My bets
        <ChevronUp aria-hidden className="size-4" />
      </button>
      <Dialog open={isOpen} onOpenChange={setOpen} title="My bets">
        <TabBoundary>
          <Suspense fallback={<Skeleton className="h-[240px]" />}>
            <MyBets {...props} />
          </Suspense>
        </TabBoundary>
      </Dialog>
    </>
  );
}
