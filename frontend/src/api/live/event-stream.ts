import type { components } from "@/api/schema";
import { noteEvent } from "@/api/trust/answers";
import { type ServerClock, serverClock } from "./server-clock";

type Schemas = components["schemas"];

/** The fields that the rounds of all timed games share. */
export type LiveRound = Schemas["LiveResult"] & { result: Schemas["LiveState"] };
/** The fields of every event. */
type LiveEvent = { serverTimeMs: number };
type Listener = (event: LiveEvent) => void;
type RoundListener = (game: string, round: LiveRound) => void;
/** Connecting until the first response, then open or lost. */
export type Connection = "connecting" | "open" | "lost";

const CLOCK = "clock";
/** Switching between live games keeps the connection. */
const LINGER_MS = 1000;
const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 15_000;
/** The clock event comes every 5 s: a connection that is silent for this long is dead, even if it looks open. */
const SILENCE_MS = 16_000;
const ADDRESS = "/api/events";

/**
 * One event stream for the whole page, open only while a visible component needs it. The bets of all players are part
 * of its address: while somebody watches them, the stream is reopened with another one.
 */
export class EventStream {
  #source: EventSource | null = null;
  #state: Connection = "connecting";
  #users = 0;
  #retries = 0;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #lingerTimer: ReturnType<typeof setTimeout> | undefined;
  #silenceTimer: ReturnType<typeof setTimeout> | undefined;
  #addressTimer: ReturnType<typeof setTimeout> | undefined;
  /** The address of the current source. */
  #address = ADDRESS;
  /** The games whose bets are watched; the last one counts. */
  #watched: readonly { game: string }[] = [];
  /**
   * Listeners by event name. A name stays subscribed for good, since every event shows that the connection is alive.
   */
  readonly #listeners = new Map<string, Set<Listener>>([[CLOCK, new Set()]]);
  readonly #onRound = new Set<RoundListener>();
  readonly #onState = new Set<() => void>();
  readonly #onOpen = new Set<() => void>();
  readonly #create: (address: string) => EventSource;
  readonly #clock: ServerClock;

  constructor(create: (address: string) => EventSource, clock: ServerClock) {
    this.#create = create;
    this.#clock = clock;
  }

  /** Keeps the stream open until the returned function is called. */
  acquire(): () => void {
    this.#users += 1;
    clearTimeout(this.#lingerTimer);
    if (this.#source === null) this.#connect();
    else this.#checkAddress();
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#users -= 1;
      if (this.#users === 0) this.#lingerTimer = setTimeout(() => this.#stop(), LINGER_MS);
    };
  }

  /** Keeps the stream open and asks for everybody's bets on a game until the returned function is called. */
  watchBets(game: string): () => void {
    const watch = { game };
    this.#watched = [...this.#watched, watch];
    const release = this.acquire();
    return () => {
      this.#watched = this.#watched.filter((other) => other !== watch);
      release();
      this.#checkAddress();
    };
  }

  on<E extends LiveEvent>(name: string, listener: (event: E) => void): () => void {
    const listeners = this.#listenersOf(name);
    const typedListener = listener as Listener;
    listeners.add(typedListener);
    return () => void listeners.delete(typedListener);
  }

  /** Subscribes to the rounds of every game with a listener. */
  onRound(listener: RoundListener): () => void {
    this.#onRound.add(listener);
    return () => void this.#onRound.delete(listener);
  }

  /** Called each time the stream opens: earlier events may have been missed. */
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

  #listenersOf(name: string): Set<Listener> {
    const known = this.#listeners.get(name);
    if (known) return known;
    const listeners = new Set<Listener>();
    this.#listeners.set(name, listeners);
    if (this.#source) this.#receiveFrom(this.#source, name);
    return listeners;
  }

  #receiveFrom(source: EventSource, name: string): void {
    source.addEventListener(name, (event) => this.#receive(source, name, event));
  }

  /** A moment later, because one watcher often follows another. */
  #checkAddress(): void {
    clearTimeout(this.#addressTimer);
    this.#addressTimer = setTimeout(() => {
      // What was missed in between is loaded when the new source opens.
      if (this.#source !== null && this.#users > 0 && this.#address !== this.#wanted()) this.#connect();
    });
  }

  #wanted(): string {
    const watch = this.#watched.at(-1);
    return watch === undefined ? ADDRESS : `${ADDRESS}?bets=${encodeURIComponent(watch.game)}`;
  }

  #connect(): void {
    this.#source?.close();
    this.#address = this.#wanted();
    const source = this.#create(this.#address);
    this.#source = source;
    source.addEventListener("open", () => this.#opened(source));
    source.addEventListener("error", () => this.#failed(source));
    for (const name of this.#listeners.keys()) this.#receiveFrom(source, name);
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

  /** The browser retries most failures itself; after a refusal it closes the source, and we retry. */
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
    const wait = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** this.#retries);
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

  #receive(source: EventSource, name: string, message: MessageEvent<string>): void {
    if (source !== this.#source) return;
    let event: LiveEvent;
    try {
      event = JSON.parse(message.data) as LiveEvent;
    } catch {
      console.warn(`An event of kind ${name} could not be read`);
      return;
    }
    this.#watchSilence(source);
    this.#clock.sample(event.serverTimeMs);
    noteEvent(name, event);
    for (const listener of this.#listeners.get(name) ?? []) listener(event);
    if (isRound(event)) for (const listener of this.#onRound) listener(name, event);
  }

  #stop(): void {
    clearTimeout(this.#retryTimer);
    clearTimeout(this.#silenceTimer);
    clearTimeout(this.#addressTimer);
    this.#source?.close();
    this.#source = null;
    this.#retries = 0;
    this.#set("connecting");
  }
}

/** Only rounds carry a balance. */
const isRound = (event: LiveEvent): event is LiveRound => "newBalance" in event;

/** `EventSource.CLOSED`, also for tests without EventSource. */
const CLOSED = 2;

export const liveEvents = new EventStream((address) => new EventSource(address), serverClock);
