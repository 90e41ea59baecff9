import { createContext, use, useLayoutEffect, useRef, useSyncExternalStore } from "react";
import { rememberedSwitch, useRemembered } from "./remembered";

/** A single key that acts on the current screen, or two that are pressed one after the other. */
export type Hotkey = {
  /** As in `KeyboardEvent.key`, letters in lower case; "g w" for two keys. */
  key: string;
  /** What it does, in the list of hotkeys. */
  label: string;
  /** Whether it also works in a field that is read-only during a round. */
  worksInLockedField?: boolean;
  /** Returns false if there is nothing to do now; then the key keeps its usual effect. */
  run(): boolean | void;
};

const areOn = rememberedSwitch("glasshouse-hotkeys", true);

/** Whether hotkeys are on: speech input can trigger single keys by accident, so they can be switched off. */
export const useHotkeysAreOn = (): boolean => useRemembered(areOn);
export const switchHotkeys = (isOn: boolean): void => areOn.set(isOn);

let hotkeys: readonly Hotkey[] = [];
const listeners = new Set<() => void>();

function set(next: readonly Hotkey[]): void {
  hotkeys = next;
  for (const listener of listeners) listener();
}

/** Adds hotkeys until the returned function is called. Of several with the same key the newest one acts. */
export function addHotkeys(added: readonly Hotkey[]): () => void {
  set([...hotkeys, ...added]);
  return () => set(hotkeys.filter((hotkey) => !added.includes(hotkey)));
}

const TEXT_FIELD = "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable=true]";
/** Elements that react to Space themselves. */
const ACTIVE = "a, button, summary, input, [role=slider], [role=menuitem], [role=option], [role=tab]";

function isTyping(target: Element, { worksInLockedField = false }: Hotkey): boolean {
  const field = target.closest(TEXT_FIELD);
  if (field === null) return false;
  return !(worksInLockedField && field instanceof HTMLInputElement && field.readOnly);
}

/** The second of two keys follows within this time. */
const PAIR_MS = 1500;
/** The first of two keys, and when it was pressed. */
let begunWith: { key: string; atMs: number } | null = null;

/** What the keys pressed so far stand for. */
function keysWith(key: string, atMs: number): string {
  const before = begunWith;
  begunWith = null;
  return before !== null && atMs - before.atMs < PAIR_MS ? `${before.key} ${key}` : key;
}

let holds = 0;

/** Lets no hotkey act while `isHeld`: a dialog takes the keys from the moment it is opened, also while it is loaded. */
export function useHeldHotkeys(isHeld: boolean): void {
  // Before the next key can arrive.
  useLayoutEffect(() => {
    if (!isHeld) return undefined;
    holds += 1;
    return () => {
      holds -= 1;
    };
  }, [isHeld]);
}

/** Runs the hotkey of an event, unless it belongs to something else. Exported for tests. */
export function onHotkey(event: KeyboardEvent): void {
  const target = event.target instanceof Element ? event.target : document.body;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  // Some layouts need Shift for the question mark.
  if (event.shiftKey && key !== "?") return;
  const keys = keysWith(key, event.timeStamp);
  const begun = key !== " " && hotkeys.find((known) => known.key.startsWith(`${keys} `));
  const hotkey = hotkeys.findLast((known) => known.key === keys) ?? begun;
  if (!hotkey || !areOn.current() || isTyping(target, hotkey)) return;
  if (key === " " && target.closest(ACTIVE)) return;
  if (holds > 0 || document.querySelector('[role="dialog"], [role="menu"], [role="listbox"]') !== null) return;
  if (event.repeat) {
    // Holding Space would scroll the page away from what it has just started.
    if (key === " ") event.preventDefault();
    return;
  }
  if (hotkey === begun) begunWith = { key, atMs: event.timeStamp };
  else if (hotkey.run() !== false) event.preventDefault();
}

let users = 0;
function listen(): () => void {
  users += 1;
  if (users === 1) window.addEventListener("keydown", onHotkey);
  return () => {
    users -= 1;
    if (users === 0) window.removeEventListener("keydown", onHotkey);
  };
}

/** True around what stays mounted while it is hidden: nobody expects a key to act on what is out of sight. */
export const HotkeysOff = createContext(false);

/**
 * Adds hotkeys while the component is mounted and not hidden. The number of keys and their names must not change. They
 * act from the moment that their button is in the page: an ordinary effect would lose a key pressed right then.
 */
export function useHotkeys(wanted: readonly Hotkey[]): void {
  const isOff = use(HotkeysOff);
  const latest = useRef(wanted);
  useLayoutEffect(() => {
    latest.current = wanted;
  });
  const names = wanted.map(({ key }) => key).join("\n");
  useLayoutEffect(() => {
    if (names === "" || isOff) return undefined;
    const stops = [
      listen(),
      addHotkeys(
        latest.current.map((first, index) =>
          Object.assign({}, first, { run: () => latest.current[index]?.run() ?? undefined }),
        ),
      ),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [names, isOff]);
}

/** The hotkeys of the current screen, each key once. */
export function useCurrentHotkeys(): readonly Hotkey[] {
  const all = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => hotkeys,
  );
  return [...new Map(all.map((hotkey) => [hotkey.key, hotkey])).values()];
}
