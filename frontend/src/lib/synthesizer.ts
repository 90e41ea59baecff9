// Makes the sounds. Loaded when sound is on.

import { masterGain, type SoundEvent } from "./sound";

type Notes = {
  /** In hertz, one after the other. */
  frequencies: readonly number[];
  gain: number;
  /** How long each of them lasts; the next one starts after two thirds of it. */
  seconds: number;
  type: OscillatorType;
};

const TONES: Record<SoundEvent, Notes> = {
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

let output: { context: AudioContext; master: GainNode } | null = null;

/** Applies a change of the volume to the tones that are playing. */
export function applyVolume(): void {
  if (output) output.master.gain.value = masterGain();
}

/** The page's audio output; null if nothing may be heard. Browsers only allow it after a click or a key. */
function audible(): { context: AudioContext; master: GainNode } | null {
  if (masterGain() === 0) return null;
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
export function play(event: SoundEvent): void {
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

/** The tone of a running round. */
export class Tone {
  #playing: { oscillator: OscillatorNode; envelope: GainNode } | null = null;

  pitch(frequency: number): void {
    try {
      const out = audible();
      if (!out) return;
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
