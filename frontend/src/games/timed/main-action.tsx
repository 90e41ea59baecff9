import type { MouseEvent } from "react";
import { DOUBLE_CLICK_MS, MainButton } from "@/components/main-button";
import type { TextSlot } from "./live-view";

export type MainActionProps = {
  phase: string;
  label: string;
  slot: TextSlot;
  isOff: boolean;
  /** Milliseconds since the button's label changed. */
  sinceChange(): number;
};

/**
 * The main button of a live game. It stays in place and keeps the focus while its action changes, so neither the second
 * click of a double click nor a held key may trigger it.
 */
export function MainAction({ phase, label, slot, isOff, sinceChange }: MainActionProps) {
  const { attach } = slot;
  function onClick(event: MouseEvent) {
    if (event.detail > 1 && sinceChange() < DOUBLE_CLICK_MS) event.preventDefault();
  }
  return (
    <MainButton type="submit" isOff={isOff} onClick={onClick} className="relative align-top">
      {/* The text changes in each frame: contained, it concerns the layout of nothing else. */}
      <span key={phase} ref={attach} className="absolute inset-0 grid place-content-center contain-strict">
        {label}
      </span>
    </MainButton>
  );
}
