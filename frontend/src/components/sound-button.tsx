import { Volume1, Volume2, VolumeX } from "lucide-react";
import { type FocusEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { changeSound, playSound, useSound } from "@/lib/sound";
import { IconButton } from "./button";
import { Slider } from "./slider";
import { Switch } from "./switch";

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
    document.getElementById(id)?.focus();
    const closeOutside = ({ target }: Event) => {
      if (target instanceof Node && !root.current?.contains(target)) setOpen(false);
    };
    document.addEventListener("pointerdown", closeOutside);
    return () => document.removeEventListener("pointerdown", closeOutside);
  }, [isOpen, id]);
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
      {isOpen && (
        <div
          id={id}
          role="dialog"
          aria-label="Sound"
          tabIndex={-1}
          className="absolute right-0 top-full z-50 mt-2 grid w-[260px] gap-1 rounded-panel border border-line bg-raised p-4 shadow-float outline-none"
        >
          <Settings isOn={isOn} volume={volume} />
        </div>
      )}
    </div>
  );
}

function Settings({ isOn, volume }: { isOn: boolean; volume: number }) {
  return (
    <>
      <Switch
        label="Sound"
        checked={isOn}
        onCheckedChange={(next) => {
          changeSound({ isOn: next });
          playSound("bet");
        }}
      />
      <div className="flex items-center justify-between text-13">
        <span className="font-medium text-ink-2">Volume</span>
        <span className="text-14 font-semibold">{volume}%</span>
      </div>
      <Slider
        label="Volume"
        value={volume}
        min={0}
        max={100}
        onValueChange={(next) => changeSound({ volume: next })}
        onCommit={() => playSound("bet")}
      />
    </>
  );
}
