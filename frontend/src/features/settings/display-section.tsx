import { useState } from "react";
import { Button, Panel, SegmentedControl } from "@/components";
import { LoadedPart } from "@/components/loaded-part";
import { Switch } from "@/components/switch";
import { TurboSwitch } from "@/components/turbo-switch";
import { switchHotkeys, useHotkeysAreOn } from "@/lib/hotkeys";
import { lazyPart } from "@/lib/lazy-part";
import { formatDollars } from "@/lib/money";
import { reducesMotion } from "@/lib/reduced-motion";
import { useRemembered } from "@/lib/remembered";
import { stakePresets } from "@/lib/stake-presets";
import { NamedControl, OfThisBrowser, Setting, SettingGroup } from "./setting";

const PresetDialog = lazyPart(() => import("@/components/preset-dialog"));

const MOTIONS = [
  { value: "system", label: "System" },
  { value: "reduced", label: "Reduced" },
];

/** How the games look and are used in this browser. */
export default function DisplaySection() {
  return (
    <Panel title="Display">
      <OfThisBrowser />
      <SettingGroup>
        <Setting note="Shortens the animations of the games, and the pauses between the rounds of autobet.">
          <TurboSwitch />
        </Setting>
        <Setting note="System follows your device. Reduced moves as little as possible, whatever your device says; what a round in play shows still moves.">
          <Motion />
        </Setting>
        <Setting note="Single keys that act on the screen you are on, such as Space for a bet. Press ? for the list.">
          <Hotkeys />
        </Setting>
        <Setting note="Four amounts that one press sets as your bet, in every game.">
          <QuickAmounts />
        </Setting>
      </SettingGroup>
    </Panel>
  );
}

function Motion() {
  return (
    <NamedControl name="Motion">
      <SegmentedControl
        label="Motion"
        value={useRemembered(reducesMotion) ? "reduced" : "system"}
        onValueChange={(choice) => reducesMotion.set(choice === "reduced")}
        options={MOTIONS}
      />
    </NamedControl>
  );
}

function Hotkeys() {
  return <Switch label="Single-key hotkeys" checked={useHotkeysAreOn()} onCheckedChange={switchHotkeys} />;
}

function QuickAmounts() {
  const presets = useRemembered(stakePresets);
  const [isEditing, setEditing] = useState(false);
  const close = () => setEditing(false);
  return (
    <NamedControl name="Quick amounts">
      <div className="flex flex-wrap items-center gap-x-3">
        <span className="text-14 font-semibold">{presets.map(formatDollars).join(" · ")}</span>
        <Button size="small" aria-label="Change the quick amounts" onClick={() => setEditing(true)}>
          Change
        </Button>
      </div>
      {isEditing && (
        <LoadedPart isWanted onFailed={close}>
          <PresetDialog onClose={close} />
        </LoadedPart>
      )}
    </NamedControl>
  );
}
