// What can be done with a record: the first two as buttons, the others in a menu.

import { Ellipsis } from "lucide-react";
import { Button, DropdownMenu, DropdownMenuContent, DropdownMenuItem, DropdownMenuTrigger } from "@/components";

export type RowAction = {
  label: string;
  /** The label for screen readers: of which record it is. */
  name: string;
  isLoading?: boolean;
  run(): void;
};

const SHOWN = 2;

/** `of` is what the record is called. */
export function RowActions({ actions, of }: { actions: readonly RowAction[]; of: string }) {
  const others = actions.slice(SHOWN);
  return (
    <div className="flex justify-end gap-2 @max-[1000px]:flex-wrap">
      {actions.slice(0, SHOWN).map(({ label, name, isLoading = false, run }) => (
        <Button key={label} size="small" loading={isLoading} aria-label={name} onClick={run}>
          {label}
        </Button>
      ))}
      {others.length > 0 && (
        <DropdownMenu>
          <DropdownMenuTrigger
            aria-label={`More actions for ${of}`}
            className="button button-secondary target min-w-11"
          >
            <Ellipsis aria-hidden className="size-4" />
          </DropdownMenuTrigger>
          <DropdownMenuContent align="end">
            {others.map(({ label, run }) => (
              <DropdownMenuItem key={label} onSelect={run}>
                {label}
              </DropdownMenuItem>
            ))}
          </DropdownMenuContent>
        </DropdownMenu>
      )}
    </div>
  );
}
