import { useSyncExternalStore } from "react";

/** A setting of this browser. Where storage is blocked, it lasts as long as the page. */
export class Remembered<T> {
  readonly #key: string;
  readonly #read: (text: string | null) => T;
  readonly #write: (value: T) => string;
  readonly #listeners = new Set<() => void>();
  #value: { now: T } | null = null;

  /** `read` gets null if nothing is stored, and must accept any text. */
  constructor(key: string, read: (text: string | null) => T, write: (value: T) => string) {
    this.#key = key;
    this.#read = read;
    this.#write = write;
  }

  readonly current = (): T => (this.#value ??= { now: this.#read(this.#stored()) }).now;

  set(value: T): void {
    this.#value = { now: value };
    try {
      localStorage.setItem(this.#key, this.#write(value));
    } catch {
      // Nothing to do: the setting is just not stored.
    }
    for (const listener of this.#listeners) listener();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  #stored(): string | null {
    try {
      return localStorage.getItem(this.#key);
    } catch {
      return null;
    }
  }
}

/** A switch that is remembered. */
export const rememberedSwitch = (key: string, initial: boolean): Remembered<boolean> =>
  new Remembered(
    key,
    (text) => (text === "on" || text === "off" ? text === "on" : initial),
    (isOn) => (isOn ? "on" : "off"),
  );

/** A switch that is remembered, and that the style sheet sees as an attribute of the page. */
export function markedSwitch(key: string, attribute: string): Remembered<boolean> {
  const setting = rememberedSwitch(key, false);
  const mark = () => document.documentElement.toggleAttribute(attribute, setting.current());
  mark();
  setting.subscribe(mark);
  return setting;
}

export const useRemembered = <T>(setting: Remembered<T>): T => useSyncExternalStore(setting.subscribe, setting.current);
