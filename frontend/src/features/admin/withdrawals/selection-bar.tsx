// What can be done with the selected requests.

import { Button } from "@/components";
import { TextButton } from "@/components/text-button";
import { counted } from "@/lib/format";
import { centsOf, formatDollars } from "@/lib/money";
import type { AdminWithdrawal } from "../api/admin";
import type { useSelection } from "../lists/selection";

export type Selection = ReturnType<typeof useSelection<AdminWithdrawal>>;

type SelectionBarProps = { selection: Selection; canSelect: boolean; onDecide(action: "approve" | "reject"): void };

/** While something is selected it stays in view. */
export function SelectionBar({ selection, canSelect, onDecide }: SelectionBarProps) {
  const { selected, selectAll, clear } = selection;
  if (!canSelect) return null;
  if (selected.length === 0)
    return (
      <div className="pb-1">
        <TextButton onClick={selectAll}>Select all shown</TextButton>
      </div>
    );
  const total = formatDollars(selected.reduce((sum, { amount }) => sum + centsOf(amount), 0));
  return (
    <section
      aria-label="Selected requests"
      className="sticky bottom-[calc(var(--bar-height)+8px)] z-10 order-last mt-3 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-control border border-line bg-raised p-3 shadow-float"
    >
      <p role="status" className="text-14">
        <strong className="font-semibold">{counted(selected.length, "request")}</strong> selected: {total}
      </p>
      <div className="ml-auto flex gap-1">
        <Button size="small" variant="ghost" onClick={selectAll} className="max-sm:hidden">
          Select all shown
        </Button>
        <Button size="small" variant="ghost" onClick={clear}>
          Clear
        </Button>
      </div>
      <div className="flex gap-2 max-sm:w-full max-sm:*:flex-1">
        <Button size="small" onClick={() => onDecide("reject")}>
          Reject selected…
        </Button>
        <Button size="small" variant="primary" onClick={() => onDecide("approve")}>
          Approve selected…
        </Button>
      </div>
    </section>
  );
}
