import { changeSound, playSound, useSound } from "@/lib/sound";
import { Slider } from "./slider";
import { Switch } from "./switch";

/** The switch and the volume of all sounds. A change can be heard. */
export function SoundControls() {
  const { isOn, volume } = useSound();
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
