import { ChevronUp } from "lucide-react";
import { useState } from "react";
import { LateDialog as Dialog } from "@/components/late-dialog";
import MyBets, { type MyBetsProps } from "./my-bets";

/** On a phone, the player's own bets slide over the stage: a button in the dock opens them. */
export function MyBetsSheet(props: MyBetsProps) {
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
        <MyBets {...props} />
      </Dialog>
    </>
  );
}
