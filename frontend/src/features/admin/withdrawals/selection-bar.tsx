// What can be done with the selected requests.

import { Button } from "@/components";
import { counted } from "@/lib/format";
import { centsOf, formatDollars } from "@/lib/money";
import type { AdminWithdrawal } from "../api/admin";
import type { useSelection } from "../lists/selection";
import { SelectionBar as Bar } from "../lists/selection-bar";

export type Selection = ReturnType<typeof useSelection<AdminWithdrawal>>;

type SelectionBarProps = { selection: Selection; canSelect: boolean; onDecide(action: "approve" | "reject"): void };

export function SelectionBar({ selection, canSelect, onDecide }: SelectionBarProps) {
  const { selected } = selection;
  const total = formatDollars(selected.reduce((sum, { amount }) => sum + centsOf(amount), 0));
  return (
    <Bar
      noun="requests"
      selection={selection}
      canSelect={canSelect}
      summary={
        <>
          <strong className="font-semibold">{counted(selected.length, "request")}</strong> selected: {total}
        </>
      }
    >
      <Button size="small" onClick={() => onDecide("reject")}>
        Reject selected…
      </Button>
      <Button size="small" variant="primary" onClick={() => onDecide("approve")}>
        Approve selected…
      </Button>
    </Bar>
  );
}
