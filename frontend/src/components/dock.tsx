import type { ComponentProps } from "react";
import { cn } from "@/lib/class-names";

/**
 * On a phone the amount and the main action of a game stand in a dock above the bottom bar, or beside the stage
 * where the phone lies on its side; on a desktop they are two rows of the bet panel. Each is placed by itself, so
 * that the order of focus is that of the panel everywhere. `main.css` has the measures.
 */
export function DockAmount({ className, ...rest }: ComponentProps<"div">) {
  return <div className={cn("dock-amount", className)} {...rest} />;
}

/** The row with the main action; it is at the same place in every phase. */
export function DockAction({ className, ...rest }: ComponentProps<"div">) {
  return <div data-dock className={cn("dock-action", className)} {...rest} />;
}
