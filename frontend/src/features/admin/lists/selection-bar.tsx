// What can be done with the selected rows of a list.

import type { ReactNode } from "react";
import { Button } from "@/components";
import { TextButton } from "@/components/text-button";

type SelectionBarProps = {
  /** What the rows are called. */
  noun: string;
  selection: { selected: readonly unknown[]; selectAll(): void; clear(): void };
  canSelect: boolean;
  /** What is selected, in words. */
  summary: ReactNode;
  /** The buttons that act on all of them. */
  children: ReactNode;
};

/** While something is selected it stays in view. */
export function SelectionBar({ noun, selection, canSelect, summary, children }: SelectionBarProps) {
  const { selected, selectAll, clear } = selection;
  if (!canSelect) return null;
  if (selected.length === 0)
    return (
      <div className="pb-1">
        <TextButton onClick={selectAll}>Select all shown</TextButton>
      </div>
    );
  return (
    <section
      aria-label={`Selected ${noun}`}
      className="sticky bottom-[calc(var(--bar-height)+8px)] z-10 order-last mt-3 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-control border border-line bg-raised p-3 shadow-float"
    >
      <p role="status" className="text-14">
        {summary}
      </p>
      <div className="ml-auto flex gap-1">
        <Button size="small" variant="ghost" onClick={selectAll} className="max-sm:hidden">
          Select all shown
        </Button>
        <Button size="small" variant="ghost" onClick={clear}>
          Clear
        </Button>
      </div>
      <div className="flex gap-2 max-sm:w-full max-sm:*:flex-1">{children}</div>
    </section>
  );
}
