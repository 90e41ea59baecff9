import { useCallback, useSyncExternalStore } from "react";

const KEY = "glasshouse-sound";
const TONES = { start: [440], won: [660, 880], lost: [220] } as const;
export type Tone = keyof typeof TONES;

let isOn: boolean | null = null;
let context: AudioContext | null = null;
const listeners = new Set<() => void>();

/** Storage can be blocked; then the setting lasts as long as the page. */
function remembered(): boolean {
  try {
    return localStorage.getItem(KEY) === "on";
  } catch {
    return false;
  }
}

const current = (): boolean => (isOn ??= remembered());

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function setSound(next: boolean): void {
  isOn = next;
  try {
    localStorage.setItem(KEY, next ? "on" : "off");
  } catch {
    // Nothing to do: the setting is just not stored.
  }
  for (const listener of listeners) listener();
}

/** Plays a short tone if sound is on; it never throws. */
export function beep(tone: Tone): void {
  if (!current()) return;
  try {
    context ??= new AudioContext();
    const { currentTime, destination } = context;
    for (const [index, frequency] of TONES[tone].entries()) {
      const begin = currentTime + index * 0.12;
      const oscillator = new OscillatorNode(context, { frequency, type: "triangle" });
      const gain = new GainNode(context, { gain: 0 });
      gain.gain.setValueAtTime(0.08, begin);
      gain.gain.exponentialRampToValueAtTime(0.0001, begin + 0.18);
      oscillator.connect(gain).connect(destination);
      oscillator.start(begin);
      oscillator.stop(begin + 0.2);
    }
  } catch {
    context = null;
  }
}

/** Whether sounds are played: off by default. */
export function useSound(): { isOn: boolean; toggle(): void } {
  const shown = useSyncExternalStore(subscribe, current);
  const toggle = useCallback(() => {
    setSound(!current());
    beep("start");
  }, []);
  return { isOn: shown, toggle };
}
