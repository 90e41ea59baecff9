import { ChevronUp } from "lucide-react";
import { type ReactNode, useState } from "react";
import { PHONE, useMatches } from "@/lib/media";
import { LateDialog as Dialog } from "./late-dialog";

type BetOptionsProps = {
  /** The options in a few words, on a phone. */
  summary: ReactNode;
  children: ReactNode;
};

/** Everything of a bet but its amount: in the panel, or on a phone in a sheet that a row of the dock opens. */
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
          className="flex h-11 w-full items-center justify-between gap-3 px-4 text-13"
        >
          <span className="min-w-0 truncate text-left text-ink-2">{summary}</span>
          <span className="flex shrink-0 items-center gap-1 font-medium">
            Bet options
            <ChevronUp aria-hidden className="size-4" />
          </span>
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
