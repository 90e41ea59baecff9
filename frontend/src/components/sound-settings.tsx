import { type RefObject, useEffect, useEffectEvent } from "react";
import { SoundControls } from "./sound-controls";

type SoundSettingsProps = {
  id: string;
  isOpen: boolean;
  /** Contains the settings and the button that opens them. */
  root: RefObject<HTMLElement | null>;
  onClose(): void;
};

/** The sound settings below their button. Loaded when the browser is idle, or when they are opened before that. */
export default function SoundSettings({ id, isOpen, root, onClose }: SoundSettingsProps) {
  const close = useEffectEvent(onClose);
  useEffect(() => (isOpen && root.current ? closeWhenLeft(root.current, () => close()) : undefined), [isOpen, root]);
  useEffect(() => {
    if (isOpen) document.getElementById(id)?.focus();
  }, [isOpen, id]);
  if (!isOpen) return null;
  return (
    <div
      id={id}
      role="dialog"
      aria-label="Sound"
      tabIndex={-1}
      className="absolute right-0 top-full z-50 mt-2 grid w-[260px] gap-1 rounded-panel border border-line bg-raised p-4 shadow-float outline-none"
    >
      <SoundControls />
    </div>
  );
}

/** Calls back on Escape, and when the player presses or focuses something outside; returns what ends it. */
function closeWhenLeft(root: HTMLElement, close: () => void): () => void {
  const listeners = new AbortController();
  const { signal } = listeners;
  const isOutside = (target: EventTarget | null) => target instanceof Node && !root.contains(target);
  document.addEventListener("pointerdown", ({ target }) => isOutside(target) && close(), { signal });
  root.addEventListener("focusout", ({ relatedTarget }) => isOutside(relatedTarget) && close(), { signal });
  root.addEventListener(
    "keydown",
    ({ key }) => {
      if (key !== "Escape") return;
      close();
      root.querySelector("button")?.focus();
    },
    { signal },
  );
  return () => listeners.abort();
}
