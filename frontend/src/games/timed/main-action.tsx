import type { MouseEvent } from "react";
import { DOUBLE_CLICK_MS, MainButton } from "@/components/main-button";
import type { TextSlot } from "./live-view";

export type MainActionProps = {
  phase: string;
  label: string;
  slot: TextSlot;
  isOff: boolean;
  /** Milliseconds since the button began to say what it says now. */
  sinceChange(): number;
};

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
    <MainButton type="submit" isOff={isOff} onClick={onClick}>
      <span key={phase} ref={attach}>
        {label}
      </span>
    </MainButton>
  );
}
