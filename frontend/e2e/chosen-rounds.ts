// Rounds with an outcome that the test knows in advance.
//
// The tests own the server they run against, so they may read its database and its seed key as its operator could. They
// know a player's next server seed and choose a client seed with which the first round has the outcome that the test
// needs. The product has no hooks for this: the seeds are real, random ones.

import type { APIRequestContext } from "@playwright/test";
import { execFile } from "node:child_process";
import { createHash, createHmac, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { crashPoint } from "@/games/crash/fairness";
import { diceRoll } from "@/games/dice/fairness";
import { headsUpTable, evaluateHands, type Showdown } from "@/games/heads-up/fairness";
import { drawnCells } from "@/games/mines/fairness";
import { stonksPath } from "@/games/stonks/fairness";
import { videoPokerCards, videoPokerRank, type VideoPokerRank } from "@/games/video-poker/fairness";
import type { Card } from "@/lib/cards";

const run = promisify(execFile);

/** The rarest round needed has a probability of 1 %; this many client seeds miss it once in 10^17 runs. */
const CLIENT_SEEDS = 4000;

type Seeds = readonly [serverSeed: string, clientSeed: string, nonce: number];
/** Whether these seeds produce the round that the test needs. */
export type Wanted = (...seeds: Seeds) => Promise<boolean>;

/** The value of an environment variable with the path of one of the server's files. */
function pathIn(variable: string, file: string): string {
  const path = process.env[variable] ?? "";
  if (path === "") throw new Error(`${variable} must be the path of the server's ${file}`);
  return path;
}

/** The server's seed key with this ID. */
async function seedKey(id: string): Promise<string> {
  const file = await readFile(pathIn("GLASSHOUSE_E2E_SEED_KEY_FILE", "seed key"), "utf8");
  const keys = file.split(/\s+/).filter((line) => line !== "");
  const key = keys.find((line) => createHash("sha256").update(`seed key;${line}`).digest("hex").startsWith(id));
  if (key === undefined) throw new Error(`the server's seed key file has no key ${id}`);
  return key;
}

/** The server seed that the player's next rotation activates. It is derived as in docs/operations.md#seed-key. */
async function nextServerSeed(playerId: number): Promise<string> {
  const database = pathIn("GLASSHOUSE_E2E_DATABASE", "SQLite database");
  const select = `SELECT key_id, salt, mask FROM accounts JOIN seed_pairs ON seed_pairs.id = next_seed_pair_id
    WHERE accounts.player_id = ${playerId}`;
  const { stdout } = await run("sqlite3", ["-readonly", "-cmd", ".timeout 10000", database, select]);
  const [keyId = "", salt = "", mask = ""] = stdout.trim().split("|");
  const hmac = createHmac("sha256", await seedKey(keyId)).update("glasshouse server seed v1");
  const derived = hmac.update(Buffer.from(salt, "hex")).digest();
  const masked = Buffer.from(mask, "hex");
  const serverSeed = Buffer.from(derived.map((byte, index) => byte ^ (masked[index] ?? 0)));
  return serverSeed.toString("hex");
}

const randomClientSeed = (): string => randomBytes(16).toString("hex");

/** Rotates the signed-in player's seeds, with a random client seed unless another one is given. */
export async function rotateSeeds(calls: APIRequestContext, clientSeed = randomClientSeed()): Promise<void> {
  const { nextServerSeedHash } = (await (await calls.get("/api/fairness")).json()) as { nextServerSeedHash: string };
  const answer = await calls.post("/api/fairness/rotate", { data: { clientSeed, nextServerSeedHash } });
  if (!answer.ok()) throw new Error(`the seeds cannot be rotated: ${answer.status()} ${await answer.text()}`);
}

/** Rotates the signed-in player's seeds so that their next round is the one that the test needs. */
export async function chooseRound(calls: APIRequestContext, isWanted: Wanted): Promise<void> {
  const { id } = (await (await calls.get("/api/user")).json()) as { id: number };
  const serverSeed = await nextServerSeed(id);
  for (let tried = 0; tried < CLIENT_SEEDS; tried += 1) {
    const clientSeed = randomClientSeed();
    if (await isWanted(serverSeed, clientSeed, 0)) return rotateSeeds(calls, clientSeed);
  }
  throw new Error("no client seed leads to the wanted round");
}

/** A crash round that reaches 90×: it lasts more than three quarters of a minute on either curve. */
export const longCrash: Wanted = async (...seeds) => (await crashPoint(...seeds)).hundredths >= 9000;
/** A crash round that ends within three seconds, but not instantly. */
export const shortCrash: Wanted = async (...seeds) => {
  const { hundredths } = await crashPoint(...seeds);
  return hundredths >= 150 && hundredths <= 300;
};
/** A crash round that ends as soon as it starts. */
export const instantCrash: Wanted = async (...seeds) => (await crashPoint(...seeds)).isInstant;
/** A market that survives for at least thirty seconds. */
export const longMarket: Wanted = async (...seeds) => (await stonksPath(...seeds)).length > 61;
/** A market that crashes at its first tick. */
export const instantMarket: Wanted = async (...seeds) => (await stonksPath(...seeds)).length === 2;
/** A roll over 50, which wins the default bet. */
export const rollOver50: Wanted = async (...seeds) => (await diceRoll(...seeds)).roll > 50;
/** A roll of 50 or less. */
export const rollUpTo50: Wanted = async (...seeds) => !(await rollOver50(...seeds));

/** A hand of video poker with the given dealt cards. */
export const dealt =
  (isWanted: (hand: Card[]) => boolean): Wanted =>
  async (...seeds) =>
    isWanted((await videoPokerCards(...seeds)).slice(0, 5));
/** A hand with the given rank after a draw that replaces all five cards. */
export const drawn =
  (...ranks: VideoPokerRank[]): Wanted =>
  async (...seeds) =>
    ranks.includes(videoPokerRank((await videoPokerCards(...seeds)).slice(5)));
/** A round of mines in which these cells (counted from 1, as on screen) are safe. */
export const safeAt =
  (mines: number, ...cells: number[]): Wanted =>
  async (serverSeed, clientSeed, nonce) => {
    const mineCells = await drawnCells({ serverSeed, clientSeed, nonce }, mines);
    return cells.every((cell) => !mineCells.includes(cell - 1));
  };
/** A round of mines in which this cell is a mine. */
export const mineAt =
  (mines: number, cell: number): Wanted =>
  async (...seeds) =>
    !(await safeAt(mines, cell)(...seeds));
/** A heads-up hand with the given showdown. */
export const showdown =
  (wanted: Showdown): Wanted =>
  async (...seeds) =>
    evaluateHands(await headsUpTable(...seeds)).showdown === wanted;
