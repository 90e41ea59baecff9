import { useSyncExternalStore } from "react";

/** What can be heard. A loss has no sound. */
export type SoundEvent = "bet" | "tick" | "card" | "tile" | "cash-out" | "win" | "big-win" | "huge-win";

export type SoundSettings = {
  isOn: boolean;
  /** From 0 to 100. */
  volume: number;
};

const SWITCH_KEY = "glasshouse-sound";
const VOLUME_KEY = "glasshouse-volume";
const DEFAULT_VOLUME = 60;

let settings: SoundSettings | null = null;
const listeners = new Set<() => void>();

const clampedVolume = (volume: number): number => Math.min(100, Math.max(0, Math.round(volume)));

/** Storage can be blocked; then the settings last as long as the page. */
function remembered(): SoundSettings {
  try {
    const volume = localStorage.getItem(VOLUME_KEY);
    return {
      isOn: localStorage.getItem(SWITCH_KEY) === "on",
      volume: volume === null || !/^\d{1,3}$/.test(volume) ? DEFAULT_VOLUME : clampedVolume(Number(volume)),
    };
  } catch {
    return { isOn: false, volume: DEFAULT_VOLUME };
  }
}

/** Whether sound is on, which it is not by default, and how loud it is. */
export const soundSettings = (): SoundSettings => (settings ??= remembered());

/** Changes the settings at once, also for tones that are playing, and remembers them. */
export function changeSound(change: Partial<SoundSettings>): void {
  const next = { ...soundSettings(), ...change };
  settings = { isOn: next.isOn, volume: clampedVolume(next.volume) };
  try {
    localStorage.setItem(SWITCH_KEY, settings.isOn ? "on" : "off");
    localStorage.setItem(VOLUME_KEY, String(settings.volume));
  } catch {
    // Nothing to do: the settings are just not stored.
  }
  if (settings.isOn) void loadSynthesizer();
  synthesizer?.applyVolume();
  for (const listener of listeners) listener();
}

/** The gain of all that is heard; 0 if nothing is. Loudness is perceived roughly as its square root. */
export const masterGain = (): number => (soundSettings().isOn ? (soundSettings().volume / 100) ** 2 : 0);

type Synthesizer = typeof import("./synthesizer");
let synthesizer: Synthesizer | null = null;
let loading: Promise<void> | null = null;

/** What makes the sounds is only loaded by those who want to hear them. Without it they hear nothing. */
function loadSynthesizer(): Promise<void> {
  loading ??= import("./synthesizer").then(
    (loaded) => void (synthesizer = loaded),
    () => void (loading = null),
  );
  return loading;
}

/** Plays the sound of an event if sound is on; it never throws. */
export function playSound(event: SoundEvent): void {
  if (masterGain() === 0) return;
  if (synthesizer) synthesizer.play(event);
  else void loadSynthesizer().then(() => synthesizer?.play(event));
}

/** A quiet tone whose pitch follows a running round. It starts with its first pitch and falls silent with the sound. */
export class RunningTone {
  #tone: InstanceType<Synthesizer["Tone"]> | null = null;

  /** The pitch in hertz; call it as often as it changes. */
  pitch(frequency: number): void {
    if (masterGain() === 0) {
      this.stop();
      return;
    }
    if (synthesizer) (this.#tone ??= new synthesizer.Tone()).pitch(frequency);
    else void loadSynthesizer();
  }

  stop(): void {
    this.#tone?.stop();
  }
}

function subscribe(listener: () => void): () => void {
  // The controls are on every page with sounds: the first sound need not wait.
  if (soundSettings().isOn) void loadSynthesizer();
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The settings, for the controls that show them. */
export const useSound = (): SoundSettings => useSyncExternalStore(subscribe, soundSettings);
