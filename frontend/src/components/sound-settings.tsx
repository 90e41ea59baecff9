import { useEffect } from "react";
import { changeSound, playSound, useSound } from "@/lib/sound";
import { Slider } from "./slider";
import { Switch } from "./switch";

/** The sound settings below their button. Loaded when the browser is idle, or when they are opened before that. */
export default function SoundSettings({ id, isOpen }: { id: string; isOpen: boolean }) {
  const { isOn, volume } = useSound();
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
    </div>
  );
}
