import { randomHex } from "@/lib/random";
import { errorCode } from "../error";
import { chooseClientSeed, fetchFairness } from "./seed-calls";

// A new account's client seed is chosen by the house. Before the first bet the browser replaces it by its own, so that
// the house cannot know it when it commits to a server seed.

const CLIENT_SEED_BYTES = 16;
const KEY = "glasshouse-own-client-seed";

/** A client seed that nobody can predict. */
export const newClientSeed = (): string => randomHex(CLIENT_SEED_BYTES);

/** Storage can be blocked; then the server is asked on each visit. */
function isRemembered(userId: number): boolean {
  try {
    return localStorage.getItem(`${KEY}-${userId}`) !== null;
  } catch {
    return false;
  }
}

function remember(userId: number): void {
  try {
    localStorage.setItem(`${KEY}-${userId}`, "yes");
  } catch {
    // See isRemembered.
  }
}

/** Replaces a client seed by the house as long as no round was played with it; one tab at a time. */
export async function replaceHouseSeed(userId: number): Promise<void> {
  await (navigator.locks === undefined ? replaceNow(userId) : navigator.locks.request(KEY, () => replaceNow(userId)));
}

async function replaceNow(userId: number): Promise<void> {
  const { clientSeedBy, nonce } = await fetchFairness();
  if (clientSeedBy === "house" && nonce === 0) {
    try {
      await chooseClientSeed(newClientSeed());
    } catch (error) {
      // A round was started in the meantime, perhaps on another device.
      if (errorCode(error) !== "seed_pair_used") throw error;
    }
  }
  remember(userId);
}

let playerId: number | null = null;
let replacement: Promise<void> | null = null;

function replace(userId: number): Promise<void> {
  replacement ??= replaceHouseSeed(userId).catch((error: unknown) => {
    // The next bet tries again.
    replacement = null;
    throw error;
  });
  return replacement;
}

/** Notes who plays, and replaces the house's client seed on the first visit. */
export function setPlayer(userId: number | null): void {
  if (playerId === userId) return;
  playerId = userId;
  replacement = null;
  if (userId !== null && !isRemembered(userId))
    replace(userId).catch((error: unknown) => console.info("The client seed could not be chosen yet", error));
}

/** Resolves once no bet can use a client seed that the browser should have replaced; every bet waits for it. */
export async function clientSeedChosen(): Promise<void> {
  if (playerId !== null && !isRemembered(playerId)) await replace(playerId);
}
