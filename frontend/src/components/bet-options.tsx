import { ChevronUp, SlidersHorizontal } from "lucide-react";
import { type ReactNode, useState } from "react";
import { PHONE, useMatches } from "@/lib/media";
import { LateDialog as Dialog } from "./late-dialog";

type BetOptionsProps = {
  /** The options in a few words, on a phone. */
  summary: ReactNode;
  children: ReactNode;
};

/**
 * Everything of a bet but its amount: in the panel, or on a phone in a sheet that a row of the dock opens. At the end
 * of the row is the button for the player's own bets (games/rounds/my-bets-sheet.tsx).
 */
export function BetOptions({ summary, children }: BetOptionsProps) {
  const isPhone = useMatches(PHONE);
  const [isOpen, setOpen] = useState(false);
  if (!isPhone) return children;
  return (
    <>
      <div data-dock-options className="dock-options">
        <button
          type="button"
          aria-haspopup="dialog"
          onClick={() => setOpen(true)}
          className="flex h-11 max-w-full items-center gap-2 pl-4 pr-3 text-13"
        >
          <SlidersHorizontal aria-hidden className="size-4 shrink-0" />
          <span className="min-w-0 truncate text-left text-ink-2">{summary}</span>
          <span className="sr-only">Bet options</span>
          <ChevronUp aria-hidden className="size-4 shrink-0" />
        </button>
      </div>
      <Dialog open={isOpen} onOpenChange={setOpen} title="Bet options">
        {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Enter here must not place the bet */}
        <div className="grid gap-4" onKeyDown={(event) => event.key === "Enter" && event.stopPropagation()}>
          {children}
        </div>
      </Dialog>
    </>
  );
}
