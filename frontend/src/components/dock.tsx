import type { ComponentProps } from "react";
import { cn } from "@/lib/class-names";

/**
 * On a phone, a game's amount and main action are in a dock above the bottom bar, or next to the stage in landscape; on
 * a desktop they are two rows of the bet panel. Each is positioned separately, so that the focus order is the panel's
 * everywhere. `main.css` has the dimensions.
 */
export function DockAmount({ className, ...rest }: ComponentProps<"div">) {
  return <div className={cn("dock-amount", className)} {...rest} />;
}

/** The row with the main action, in the same place in every phase. */
export function DockAction({ className, ...rest }: ComponentProps<"div">) {
  return <div data-dock className={cn("dock-action", className)} {...rest} />;
}
