import type { ReactNode } from "react";
import { onEnterInField } from "@/lib/enter-key";

type BetFormProps = {
  className?: string;
  /** Enter in a field: starts a round, and never ends one. */
  onPlay(): void;
  /** The main button. */
  onSubmit(): void;
  children: ReactNode;
};

/** The bet form: Enter in a field places the bet, and the fields keep the focus during the round. */
export function BetForm({ className = "grid content-start gap-4 p-4", onPlay, onSubmit, children }: BetFormProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the key events bubble up from the form's fields
    <form
      noValidate
      className={className}
      onKeyDown={onEnterInField(onPlay)}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
    </form>
  );
}
