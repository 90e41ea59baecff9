import { Volume1, Volume2, VolumeX } from "lucide-react";
import { useId, useRef, useState } from "react";
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
  const close = () => setOpen(false);
  return (
    <div ref={root} className="relative">
      <IconButton
        label={isSilent ? "Sound, off" : `Sound, ${volume}%`}
        icon={<Icon aria-hidden className="size-4" />}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      />
      <LoadedPart isWanted={isOpen} onFailed={close}>
        <SoundSettings id={id} isOpen={isOpen} root={root} onClose={close} />
      </LoadedPart>
    </div>
  );
}
