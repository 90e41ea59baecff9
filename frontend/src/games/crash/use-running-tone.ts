import { useEffect, useState } from "react";
import { RunningTone } from "@/lib/sound";

/** The tone at 1.00×, in hertz; it is an octave higher at four times that. */
const LOWEST = 196;

export const pitchOf = (hundredths: number): number => LOWEST * Math.sqrt(hundredths / 100);

/** A tone that rises with the multiplier while a round runs. Frames stop in the background, so there it is silent. */
export function useRunningTone(isRunning: boolean): RunningTone {
  const [tone] = useState(() => new RunningTone());
  useEffect(() => {
    if (!isRunning) return undefined;
    const onVisibility = () => document.hidden && tone.stop();
    document.addEventListener("visibilitychange", onVisibility);
    return () => {
      document.removeEventListener("visibilitychange", onVisibility);
      tone.stop();
    };
  }, [isRunning, tone]);
  return tone;
}
