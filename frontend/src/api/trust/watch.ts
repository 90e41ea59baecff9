import { useEffect } from "react";
import { forgetAnswers, listenToAnswers } from "./answers";
import { replaceHouseSeed, setPlayer } from "./own-client-seed";
import { resetStatus } from "./status";
import type { Watcher } from "./watcher";

/** Verification starts after the page is shown, but soon. */
const LATEST_START_MS = 3000;
/** Browsers without idle callbacks. */
const START_MS = 500;
const RETRY_MS = 15_000;

let watcher: Promise<Watcher> | null = null;

/** Runs when the browser has nothing more urgent to do; returns how to call it off. */
function whenIdle(action: () => void): () => void {
  if (typeof requestIdleCallback === "function") {
    const handle = requestIdleCallback(action, { timeout: LATEST_START_MS });
    return () => cancelIdleCallback(handle);
  }
  const timer = setTimeout(action, START_MS);
  return () => clearTimeout(timer);
}

async function load(userId: number): Promise<Watcher> {
  const { Watcher: Loaded } = await import("./watcher");
  return new Loaded(userId);
}

/** Verifies everything for a player until the returned function is called. */
function watchPlayer(userId: number): () => void {
  let isOver = false;
  let cancel = whenIdle(() => void start());
  let started: Watcher | null = null;

  async function start() {
    watcher ??= load(userId);
    try {
      const loaded = await watcher;
      if (isOver) return;
      started = loaded;
      await loaded.start();
      if (isOver) return;
      listenToAnswers(loaded.receive);
      // What the server shows now is compared with what it showed at the last visit.
      await replaceHouseSeed(userId);
    } catch (error) {
      console.info("The verification could not be started yet", error);
      if (isOver || started !== null) return;
      watcher = null;
      const timer = setTimeout(() => void start(), RETRY_MS);
      cancel = () => clearTimeout(timer);
    }
  }
  return () => {
    isOver = true;
    cancel();
    started?.stop();
    watcher = null;
    forgetAnswers();
    resetStatus();
  };
}

/** Verifies everything that the server shows to the signed-in player. Used once, around all screens. */
export function useTrustWatch(userId: number | undefined): void {
  useEffect(() => {
    if (userId === undefined) return undefined;
    setPlayer(userId);
    const stop = watchPlayer(userId);
    return () => {
      stop();
      setPlayer(null);
    };
  }, [userId]);
}

/** The verification of the signed-in player; null if there is none. */
export const currentWatcher = async (): Promise<Watcher | null> => watcher;
