import { useRef, useState } from "react";
import { errorMessage } from "@/api/client";
import { houseTime, useSessionSummary } from "@/api/session-summary";
import { Panel, Select, toast } from "@/components";
import { minutesText } from "@/lib/limit-texts";
import { restartInterval } from "@/lib/reality-check";
import { NamedControl, Setting, SettingGroup } from "../setting";
import { type LimitOverview, setRealityCheck } from "./api";

/** The intervals that the server offers. */
export const INTERVALS: readonly number[] = [15, 30, 45, 60, 90, 120];
const OFF = "off";

type RealityCheckPanelProps = {
  minutes: number | null | undefined;
  onChanged(overview: LimitOverview): void;
};

/** How often the player is reminded of the time and the result. */
export function RealityCheckPanel({ minutes, onChanged }: RealityCheckPanelProps) {
  const { data: summary, mutate: reloadSummary } = useSessionSummary();
  const [isSaving, setSaving] = useState(false);
  const isBusy = useRef(false);
  async function choose(choice: string) {
    if (isBusy.current) return;
    isBusy.current = true;
    setSaving(true);
    const chosen = choice === OFF ? null : Number(choice);
    try {
      onChanged(await setRealityCheck(chosen));
      // Whoever switches it on is reminded after the interval, however long they have played already.
      if (summary && minutes == null) restartInterval(summary.since, houseTime(summary));
      void reloadSummary();
      const description =
        chosen === null ? "You are no longer reminded." : `You are reminded every ${minutesText(chosen)}.`;
      toast({ title: "Reality Check", description });
    } catch (error) {
      const description = errorMessage(error, "Something went wrong");
      toast({ title: "Reality Check Not Changed", description, variant: "destructive" });
    } finally {
      isBusy.current = false;
      setSaving(false);
    }
  }
  return (
    <Panel title="Reality check">
      <SettingGroup>
        <Setting note="A reminder of how long you have been signed in, how long you have played, and with what result. It pauses autobet and never interrupts a round of crash or stonks. The time and your result in this session are also always at the top left.">
          <NamedControl name="Remind me">
            <Select
              label="Reality check"
              className="w-[180px]"
              value={minutes == null ? OFF : String(minutes)}
              disabled={isSaving}
              onValueChange={(choice) => void choose(choice)}
              options={[
                { value: OFF, label: "Never" },
                ...INTERVALS.map((interval) => ({ value: String(interval), label: `Every ${minutesText(interval)}` })),
              ]}
            />
          </NamedControl>
        </Setting>
      </SettingGroup>
    </Panel>
  );
}
