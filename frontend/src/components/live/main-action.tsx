import type { MouseEvent } from "react";
import { cn } from "@/lib/class-names";
import { Button } from "../button";
import type { TextSlot } from "./live-view";

export type MainActionProps = {
  phase: string;
  label: string;
  slot: TextSlot;
  isOff: boolean;
  /** Milliseconds since the button began to say what it says now. */
  sinceChange(): number;
};

/** Within so long a second click was meant for what the button said before. */
const DOUBLE_CLICK_MS = 500;

/**
 * The one button of a live game. It stays where it is and keeps the focus while its meaning changes
 * under it, so neither the second half of a double click nor a key that is held down may act.
 */
export function MainAction({ phase, label, slot, isOff, sinceChange }: MainActionProps) {
  const { attach } = slot;
  function onClick(event: MouseEvent) {
    if (event.detail > 1 && sinceChange() < DOUBLE_CLICK_MS) event.preventDefault();
  }
  return (
    <Button
      type="submit"
      variant="primary"
      size="large"
      data-testid="main-action"
      aria-disabled={isOff || undefined}
      onClick={onClick}
      onKeyDown={(event) => event.repeat && event.key === "Enter" && event.preventDefault()}
      className={cn("w-full max-lg:sticky max-lg:bottom-[68px] max-lg:z-10 max-lg:shadow-[0_0_0_12px_var(--color-panel)]", isOff && "cursor-not-allowed bg-[oklch(0.68_0.12_85)] enabled:hover:bg-[oklch(0.68_0.12_85)]")}
    >
      <span key={phase} ref={attach}>
        {label}
      </span>
    </Button>
  );
}
