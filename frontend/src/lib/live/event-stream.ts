import type { CrashRound, PricePoint, StonksRound } from "@/api/live";
import { type ServerClock, serverClock } from "./server-clock";

export type LiveEvents = {
  clock: { serverTimeMs: number };
  crash: CrashRound;
  stonks: StonksRound;
  price: PricePoint;
};
/** Connecting until the first answer, then open or lost. */
export type Connection = "connecting" | "open" | "lost";
type Name = keyof LiveEvents;
type Listeners = { [N in Name]: Set<(data: LiveEvents[N]) => void> };

const NAMES: readonly Name[] = ["clock", "crash", "stonks", "price"];
/** Moving from one live game to another keeps the connection. */
const LINGER_MS = 1000;
const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 15_000;
/** The clock comes every 5 s: a connection that is silent for so long is dead, though it looks open. */
const SILENCE_MS = 16_000;

/** One stream of events for everything on the page, open only while something on screen needs it. */
export class EventStream {
  #source: EventSource | null = null;
  #state: Connection = "connecting";
  #users = 0;
  #retries = 0;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #lingerTimer: ReturnType<typeof setTimeout> | undefined;
  #silenceTimer: ReturnType<typeof setTimeout> | undefined;
  readonly #listeners: Listeners = { clock: new Set(), crash: new Set(), stonks: new Set(), price: new Set() };
  readonly #onState = new Set<() => void>();
  readonly #onOpen = new Set<() => void>();
  readonly #create: () => EventSource;
  readonly #clock: ServerClock;

  constructor(create: () => EventSource, clock: ServerClock) {
    this.#create = create;
    this.#clock = clock;
  }

  /** Keeps the stream open until the returned function is called. */
  acquire(): () => void {
    this.#users += 1;
    clearTimeout(this.#lingerTimer);
    if (this.#source === null) this.#connect();
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#users -= 1;
      if (this.#users === 0) this.#lingerTimer = setTimeout(() => this.#stop(), LINGER_MS);
    };
  }

  on<N extends Name>(name: N, listener: (data: LiveEvents[N]) => void): () => void {
    this.#listeners[name].add(listener);
    return () => void this.#listeners[name].delete(listener);
  }

  /** Called each time the stream opens: what happened before then was not heard. */
  onOpen(listener: () => void): () => void {
    this.#onOpen.add(listener);
    return () => void this.#onOpen.delete(listener);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#onState.add(listener);
    return () => void this.#onState.delete(listener);
  };

  readonly state = (): Connection => this.#state;

  #set(state: Connection): void {
    if (state === this.#state) return;
    this.#state = state;
    for (const listener of this.#onState) listener();
  }

  #connect(): void {
    const source = this.#create();
    this.#source = source;
    source.addEventListener("open", () => this.#opened(source));
    source.addEventListener("error", () => this.#failed(source));
    for (const name of NAMES) source.addEventListener(name, (event) => this.#receive(source, name, event));
    this.#watchSilence(source);
  }

  #opened(source: EventSource): void {
    if (source !== this.#source) return;
    this.#retries = 0;
    this.#clock.forget();
    this.#set("open");
    this.#watchSilence(source);
    for (const listener of this.#onOpen) listener();
  }

  /** The browser itself tries again after most failures; after a refusal it closes, and we do. */
  #failed(source: EventSource): void {
    if (source !== this.#source) return;
    this.#set("lost");
    if (source.readyState === CLOSED) this.#retryLater();
  }

  #retryLater(): void {
    clearTimeout(this.#silenceTimer);
    this.#source?.close();
    this.#source = null;
    clearTimeout(this.#retryTimer);
    const wait = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.#retries);
    this.#retries += 1;
    this.#retryTimer = setTimeout(() => this.#connect(), wait);
  }

  #watchSilence(source: EventSource): void {
    clearTimeout(this.#silenceTimer);
    this.#silenceTimer = setTimeout(() => {
      if (source !== this.#source) return;
      this.#set("lost");
      this.#retryLater();
    }, SILENCE_MS);
  }

  #receive<N extends Name>(source: EventSource, name: N, event: MessageEvent<string>): void {
    if (source !== this.#source) return;
    let data: LiveEvents[N];
    try {
      data = JSON.parse(event.data) as LiveEvents[N];
    } catch {
      console.warn(`An event of kind ${name} could not be read`);
      return;
    }
    this.#watchSilence(source);
    this.#clock.sample(data.serverTimeMs);
    for (const listener of this.#listeners[name]) listener(data);
  }

  #stop(): void {
    clearTimeout(this.#retryTimer);
    clearTimeout(this.#silenceTimer);
    this.#source?.close();
    this.#source = null;
    this.#retries = 0;
    this.#set("connecting");
  }
}

/** `EventSource.CLOSED`, also where a test has no EventSource. */
const CLOSED = 2;

export const liveEvents = new EventStream(() => new EventSource("/api/events"), serverClock);
