import { Volume1, Volume2, VolumeX } from "lucide-react";
import { type FocusEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { lazyPart } from "@/lib/lazy-part";
import { useSound } from "@/lib/sound";
import { IconButton } from "./button";
import { LoadedPart } from "./loaded-part";

const SoundSettings = lazyPart(() => import("./sound-settings"));

/** Opens the sound settings, which hold for all games: a switch and the volume. */
export function SoundButton() {
  const { isOn, volume } = useSound();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const isSilent = !isOn || volume === 0;
  const Icon = isSilent ? VolumeX : volume < 50 ? Volume1 : Volume2;
  useEffect(() => {
    if (!isOpen) return undefined;
    const closeOutside = ({ target }: Event) => {
      if (target instanceof Node && !root.current?.contains(target)) setOpen(false);
    };
    document.addEventListener("pointerdown", closeOutside);
    return () => document.removeEventListener("pointerdown", closeOutside);
  }, [isOpen]);
  function closeWithFocus({ relatedTarget, currentTarget }: FocusEvent) {
    if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) setOpen(false);
  }
  function closeWithEscape({ key }: KeyboardEvent) {
    if (key !== "Escape" || !isOpen) return;
    setOpen(false);
    root.current?.querySelector("button")?.focus();
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the key events bubble up from the controls
    <div ref={root} className="relative" onBlur={closeWithFocus} onKeyDown={closeWithEscape}>
      <IconButton
        label={isSilent ? "Sound, off" : `Sound, ${volume}%`}
        icon={<Icon aria-hidden className="size-4" />}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      />
      <LoadedPart isWanted={isOpen} onFailed={() => setOpen(false)}>
        <SoundSettings id={id} isOpen={isOpen} />
      </LoadedPart>
    </div>
  );
}
