import { Fragment } from "react";
import { Dialog } from "@/components/dialog";
import { Switch } from "@/components/switch";
import { switchHotkeys, useCurrentHotkeys, useHotkeysAreOn } from "@/lib/hotkeys";

const NAMES: Readonly<Record<string, string>> = { " ": "Space" };

type HotkeysDialogProps = { open: boolean; onOpenChange(open: boolean): void };

/** The hotkeys of the current screen, and a switch that turns all of them off. */
export function HotkeysDialog({ open, onOpenChange }: HotkeysDialogProps) {
  const hotkeys = useCurrentHotkeys();
  const areOn = useHotkeysAreOn();
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Hotkeys"
      description="Single keys that act on this screen, except while you type in a field. The setting is kept in this browser."
    >
      <div className="grid gap-4">
        <Switch label="Single-key hotkeys" checked={areOn} onCheckedChange={switchHotkeys} />
        <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2 text-14">
          {hotkeys.map(({ key, label }) => (
            <div key={key} className="col-span-2 grid grid-cols-subgrid items-center">
              <dt className="flex items-center gap-1.5">
                {(NAMES[key] === undefined ? key.split(" ") : [NAMES[key]]).map((one, index) => (
                  <Fragment key={one}>
                    {index > 0 && <span className="text-12 text-ink-3">then</span>}
                    <kbd className="inline-grid min-h-8 min-w-8 place-items-center rounded-chip border border-control bg-well px-2 font-sans text-13 font-semibold">
                      {one.length === 1 ? one.toUpperCase() : one}
                    </kbd>
                  </Fragment>
                ))}
              </dt>
              <dd className="text-ink-2">{label}</dd>
            </div>
          ))}
        </dl>
      </div>
    </Dialog>
  );
}
