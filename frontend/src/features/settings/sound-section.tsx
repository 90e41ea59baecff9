import { Panel } from "@/components";
import { SoundControls } from "@/components/sound-controls";
import { OfThisBrowser } from "./setting";

/** The sound of all games. */
export default function SoundSection() {
  return (
    <Panel title="Sound">
      <OfThisBrowser />
      <div className="grid gap-1">
        <SoundControls />
        <p className="mt-2 text-pretty text-13 text-ink-3">
          For all games: bets, cards, cash-outs and wins. A loss has no sound.
        </p>
      </div>
    </Panel>
  );
}
