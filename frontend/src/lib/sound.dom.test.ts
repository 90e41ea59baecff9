import { afterEach, beforeEach, expect, it, vi } from "vitest";

/** Every call that reaches the audio output, in order. */
let calls: string[] = [];
let masterValue = Number.NaN;

class FakeParam {
  readonly #name: string;
  constructor(name: string) {
    this.#name = name;
  }
  set value(next: number) {
    if (this.#name === "gain") masterValue = next;
  }
  setValueAtTime(value: number) {
    calls.push(`${this.#name} ${value}`);
  }
  exponentialRampToValueAtTime(value: number) {
    calls.push(`${this.#name} to ${value}`);
  }
  setTargetAtTime(value: number) {
    calls.push(`${this.#name} towards ${value}`);
  }
}
class FakeNode {
  connect = (next: FakeNode) => next;
}
class FakeGain extends FakeNode {
  readonly gain = new FakeParam("gain");
  constructor(_: unknown, { gain }: { gain: number }) {
    super();
    masterValue = Number.isNaN(masterValue) ? gain : masterValue;
  }
}
class FakeOscillator extends FakeNode {
  readonly frequency = new FakeParam("frequency");
  constructor(_: unknown, { frequency }: { frequency: number }) {
    super();
    calls.push(`oscillator ${frequency}`);
  }
  start = () => calls.push("start");
  stop = () => calls.push("stop");
}
class FakeContext {
  state = "running";
  currentTime = 0;
  destination = new FakeNode();
  constructor() {
    calls.push("context");
  }
}

/** Each test loads the module anew, as a page does. */
const load = () => import("./sound");
/** Waits for the code that makes the sounds, which is loaded when sound is switched on. */
async function loaded() {
  await import("./synthesizer");
  await Promise.resolve();
}

beforeEach(() => {
  calls = [];
  masterValue = Number.NaN;
  vi.resetModules();
  vi.stubGlobal("AudioContext", FakeContext);
  vi.stubGlobal("GainNode", FakeGain);
  vi.stubGlobal("OscillatorNode", FakeOscillator);
});
afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
});

it("creates nothing while sound is off, which it is by default", async () => {
  const { playSound, RunningTone, soundSettings } = await load();
  expect(soundSettings().isOn).toBe(false);
  playSound("huge-win");
  const tone = new RunningTone();
  tone.pitch(300);
  tone.stop();
  expect(calls).toEqual([]);
});

it("creates nothing at volume 0", async () => {
  const { changeSound, playSound, RunningTone } = await load();
  changeSound({ isOn: true, volume: 0 });
  await loaded();
  playSound("bet");
  new RunningTone().pitch(300);
  expect(calls).toEqual([]);
});

it("creates nothing before the player has used the page", async () => {
  vi.stubGlobal("navigator", { userActivation: { hasBeenActive: false } });
  const { changeSound, playSound } = await load();
  changeSound({ isOn: true });
  playSound("bet");
  await loaded();
  playSound("bet");
  expect(calls).toEqual([]);
});

it("plays the tones of an event one after the other, through one output", async () => {
  const { changeSound, playSound } = await load();
  changeSound({ isOn: true, volume: 50 });
  await loaded();
  playSound("win");
  expect(calls.filter((call) => call.startsWith("oscillator"))).toEqual(["oscillator 659", "oscillator 880"]);
  expect(masterValue).toBe(0.25);
  playSound("bet");
  expect(calls.filter((call) => call === "context")).toHaveLength(1);
});

it("plays the first sound as soon as it can be made", async () => {
  localStorage.setItem("glasshouse-sound", "on");
  const { playSound } = await load();
  playSound("tile");
  expect(calls).toEqual([]);
  await loaded();
  expect(calls).toContain("oscillator 587");
});

it("applies a change of the volume at once, and remembers it", async () => {
  const first = await load();
  first.changeSound({ isOn: true, volume: 50 });
  await loaded();
  first.playSound("bet");
  first.changeSound({ volume: 100 });
  expect(masterValue).toBe(1);
  first.changeSound({ isOn: false });
  expect(masterValue).toBe(0);
  first.changeSound({ isOn: true, volume: 250 });
  vi.resetModules();
  const { soundSettings } = await load();
  expect(soundSettings()).toEqual({ isOn: true, volume: 100 });
});

it("keeps the default if what is stored is no volume", async () => {
  localStorage.setItem("glasshouse-volume", "loud");
  const { soundSettings } = await load();
  expect(soundSettings().volume).toBe(60);
});

it("raises the pitch of one running tone, and stops it when sound is switched off", async () => {
  const { changeSound, RunningTone } = await load();
  changeSound({ isOn: true });
  await loaded();
  const tone = new RunningTone();
  tone.pitch(200);
  tone.pitch(240);
  expect(calls.filter((call) => call.startsWith("oscillator"))).toEqual(["oscillator 200"]);
  expect(calls).toContain("frequency towards 240");
  changeSound({ isOn: false });
  tone.pitch(260);
  expect(calls.at(-1)).toBe("stop");
});
