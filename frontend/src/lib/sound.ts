import { useSyncExternalStore } from "react";

/** What can be heard. A loss has no sound. */
export type SoundEvent = "bet" | "tick" | "card" | "tile" | "cash-out" | "win" | "big-win" | "huge-win";

export type SoundSettings = {
  isOn: boolean;
  /** From 0 to 100. */
  volume: number;
};

type Tone = {
  /** In hertz, one after the other. */
  frequencies: readonly number[];
  gain: number;
  /** How long each of them lasts; the next one starts after two thirds of it. */
  seconds: number;
  type: OscillatorType;
};

const TONES: Record<SoundEvent, Tone> = {
  bet: { frequencies: [440], gain: 0.16, seconds: 0.16, type: "triangle" },
  tick: { frequencies: [1250], gain: 0.05, seconds: 0.03, type: "triangle" },
  card: { frequencies: [330, 262], gain: 0.12, seconds: 0.05, type: "triangle" },
  tile: { frequencies: [587], gain: 0.13, seconds: 0.09, type: "sine" },
  "cash-out": { frequencies: [523, 659], gain: 0.16, seconds: 0.12, type: "triangle" },
  win: { frequencies: [659, 880], gain: 0.16, seconds: 0.18, type: "triangle" },
  "big-win": { frequencies: [523, 659, 784, 1047], gain: 0.17, seconds: 0.2, type: "triangle" },
  "huge-win": { frequencies: [523, 659, 784, 1047, 1319, 1568], gain: 0.18, seconds: 0.26, type: "triangle" },
};
/** The quiet tone while a round runs. */
const RUNNING = { gain: 0.035, type: "sine", glideSeconds: 0.06, fadeSeconds: 0.08 } as const;
/** Exponential ramps cannot reach zero. */
const SILENT = 0.0001;

const SWITCH_KEY = "glasshouse-sound";
const VOLUME_KEY = "glasshouse-volume";
const DEFAULT_VOLUME = 60;

let settings: SoundSettings | null = null;
let output: { context: AudioContext; master: GainNode } | null = null;
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
  if (output) output.master.gain.value = masterGain();
  for (const listener of listeners) listener();
}

const isAudible = (): boolean => soundSettings().isOn && soundSettings().volume > 0;

/** Loudness is perceived roughly as the square root of the gain. */
const masterGain = (): number => (isAudible() ? (soundSettings().volume / 100) ** 2 : 0);

/** The page's audio output; null if nothing may be heard. Browsers only allow it after a click or a key. */
function audible(): { context: AudioContext; master: GainNode } | null {
  if (!isAudible()) return null;
  if (!output) {
    if (navigator.userActivation?.hasBeenActive === false) return null;
    const context = new AudioContext();
    const master = new GainNode(context, { gain: masterGain() });
    master.connect(context.destination);
    output = { context, master };
  }
  // A browser suspends it, for example, while the page is in the background.
  if (output.context.state === "suspended") void output.context.resume();
  return output;
}

/** Plays the sound of an event if sound is on; it never throws. */
export function playSound(event: SoundEvent): void {
  try {
    const out = audible();
    if (!out) return;
    const { frequencies, gain, seconds, type } = TONES[event];
    for (const [index, frequency] of frequencies.entries()) {
      const at = out.context.currentTime + (index * seconds * 2) / 3;
      const oscillator = new OscillatorNode(out.context, { frequency, type });
      const envelope = new GainNode(out.context, { gain: 0 });
      envelope.gain.setValueAtTime(gain, at);
      envelope.gain.exponentialRampToValueAtTime(SILENT, at + seconds);
      oscillator.connect(envelope).connect(out.master);
      oscillator.start(at);
      oscillator.stop(at + seconds + 0.02);
    }
  } catch {
    output = null;
  }
}

/** A quiet tone whose pitch follows a running round. It starts with its first pitch and falls silent with the sound. */
export class RunningTone {
  #playing: { oscillator: OscillatorNode; envelope: GainNode } | null = null;

  /** The pitch in hertz; call it as often as it changes. */
  pitch(frequency: number): void {
    try {
      const out = audible();
      if (!out) {
        this.stop();
        return;
      }
      this.#playing ??= begin(out, frequency);
      this.#playing.oscillator.frequency.setTargetAtTime(frequency, out.context.currentTime, RUNNING.glideSeconds);
    } catch {
      this.#playing = null;
      output = null;
    }
  }

  stop(): void {
    const playing = this.#playing;
    this.#playing = null;
    if (!playing || !output) return;
    const now = output.context.currentTime;
    playing.envelope.gain.setTargetAtTime(0, now, RUNNING.fadeSeconds / 4);
    playing.oscillator.stop(now + RUNNING.fadeSeconds);
  }
}

function begin({ context, master }: { context: AudioContext; master: GainNode }, frequency: number) {
  const oscillator = new OscillatorNode(context, { frequency, type: RUNNING.type });
  const envelope = new GainNode(context, { gain: RUNNING.gain });
  oscillator.connect(envelope).connect(master);
  oscillator.start();
  return { oscillator, envelope };
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The settings, for the controls that show them. */
export const useSound = (): SoundSettings => useSyncExternalStore(subscribe, soundSettings);
