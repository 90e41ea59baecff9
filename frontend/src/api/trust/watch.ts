import { useEffect } from "react";
import { whenIdle } from "@/lib/idle";
import { forgetAnswers, listenToAnswers } from "./answers";
import { replaceHouseSeed, setPlayer } from "./own-client-seed";
import { resetStatus } from "./status";
import type { Watcher } from "./watcher";

const RETRY_MS = 15_000;

let current: { userId: number; watcher: Promise<Watcher> | null } | null = null;

async function load(userId: number): Promise<Watcher> {
  const { Watcher: Loaded } = await import("./watcher");
  return new Loaded(userId);
}

/** The verification of the signed-in player; null if there is none. */
export async function currentWatcher(): Promise<Watcher | null> {
  const player = current;
  if (player === null) return null;
  player.watcher ??= load(player.userId);
  try {
    return await player.watcher;
  } catch (error) {
    // Code that could not be loaded is loaded again when it is next needed.
    player.watcher = null;
    throw error;
  }
}

/** Verifies everything for a player until the returned function is called. */
function watchPlayer(userId: number): () => void {
  const player: typeof current = { userId, watcher: null };
  current = player;
  let cancel = whenIdle(() => void start());
  let started: Watcher | null = null;
  const isOver = () => current !== player;

  async function start() {
    try {
      const watcher = await currentWatcher();
      if (isOver() || watcher === null) return;
      started = watcher;
      await watcher.start();
      if (isOver()) return;
      listenToAnswers(watcher.receive);
      // What the server shows now is compared with what it showed at the last visit.
      await replaceHouseSeed(userId);
    } catch (error) {
      console.info("The verification could not be started yet", error);
      if (isOver() || started !== null) return;
      const timer = setTimeout(() => void start(), RETRY_MS);
      cancel = () => clearTimeout(timer);
    }
  }
  return () => {
    cancel();
    started?.stop();
    current = null;
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
