// Rounds of all games, played by calls, and evidence that the page saves.

import { readFile } from "node:fs/promises";
import type { APIRequestContext, Locator, Page } from "@playwright/test";
import type { components } from "@/api/schema";
import { expect, newName, openMines, PASSWORD, setBalance } from "./support";

type Schemas = components["schemas"];

export const callsOf = (page: Page): APIRequestContext => page.context().request;

export const getJson = async <T>(calls: APIRequestContext, path: string): Promise<T> =>
  (await (await calls.get(path)).json()) as T;

async function postJson<T>(calls: APIRequestContext, path: string, data: object): Promise<T> {
  const answer = await calls.post(path, { data });
  expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true);
  return (await answer.json()) as T;
}

export const fairnessOf = (page: Page) => getJson<Schemas["FairnessState"]>(callsOf(page), "/api/fairness");

/** Registers a player whose client seed is still the house's. */
export async function registerByCalls(page: Page, administrator: APIRequestContext): Promise<void> {
  const data = { username: newName(), password: PASSWORD };
  const { id } = await postJson<{ id: number }>(callsOf(page), "/api/register", data);
  await setBalance(administrator, id, "1000.00");
}

export const playDice = (calls: APIRequestContext, betAmount = "1.00") =>
  postJson<Schemas["DicePlayResult"]>(calls, "/api/dice/play", { betAmount, targetNumber: 50, betType: "over" });

const openRounds = (calls: APIRequestContext) => getJson<Schemas["OpenRounds"]>(calls, "/api/open-rounds");

/** Plays a round of each game to its end, whatever it is. */
export async function playAllGames(page: Page, administrator: APIRequestContext): Promise<void> {
  const calls = callsOf(page);
  const bet = { betAmount: "5.00" };
  await playDice(calls, "0.07");
  await postJson(calls, "/api/crash/game", { action: "start", ...bet, autoCashoutMultiplier: "1.05", curve: "linear" });
  await expect.poll(async () => (await openRounds(calls)).crash).toBeNull();
  const hand = await postJson<Schemas["PokerHand"]>(calls, "/api/poker/deal", { ...bet, isMaxBet: false });
  await postJson(calls, "/api/poker/draw", { ...bet, roundId: hand.roundId, heldIndexes: [0, 3] });
  const { roundId } = await postJson<Schemas["HeadsUpHand"]>(calls, "/api/poker/heads-up/deal", bet);
  await postJson(calls, "/api/poker/play", { ...bet, roundId, action: "raise" });
  await openMines(administrator);
  const mines = await postJson<Schemas["MinesRound"]>(calls, "/api/mines/game", { action: "start", ...bet, mines: 24 });
  await postJson(calls, "/api/mines/game", { action: "reveal", roundId: mines.roundId, cell: 12 });
  await postJson(calls, "/api/stonks/game", { action: "start", ...bet, autoCashoutProfit: null });
  await expect
    .poll(async () => {
      const { stonks } = await openRounds(calls);
      if (stonks === null) return null;
      // Refused until the first price, and once the market has crashed.
      const claim = { action: "cashout", ...bet, roundId: stonks.roundId, cashoutMultiplier: "1.00" };
      await calls.post("/api/stonks/game", { data: claim });
      return stonks.roundId;
    })
    .toBeNull();
}

/** The player's rounds, in the house with this address. */
export const roundsOf = (page: Page, url = "") =>
  getJson<{ id: number; gameType: string }[]>(callsOf(page), `${url}/api/game-history`);

/** Waits until all rounds of the player are in the public log. */
export async function untilInLog(page: Page, url = ""): Promise<void> {
  for (const { id } of await roundsOf(page, url))
    await expect.poll(async () => (await callsOf(page).get(`${url}/api/rounds/${id}/proof`)).status()).toBe(200);
}

export type Evidence = {
  format: string;
  player: number;
  keys: string[];
  failures: { kind: string; evidence: object }[];
};

/** Saves the evidence as a player does, and reads the file. */
export async function savedEvidence(page: Page, alert: Locator): Promise<Evidence> {
  const download = page.waitForEvent("download");
  await alert.getByRole("button", { name: "Save evidence" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe("glasshouse-evidence.json");
  return JSON.parse(await readFile(await file.path(), "utf8")) as Evidence;
}

/** The message that stays until the evidence is saved. */
export const alertOf = (page: Page): Locator =>
  page.getByRole("alert").filter({ hasText: "an honest house does not do" });

/** Answers a call as the server does, with changes. */
export async function changeAnswer<T extends object>(page: Page, path: string, change: (answer: T) => object) {
  await page.route(path, async (route) => {
    const response = await route.fetch();
    const body = response.ok() ? change((await response.json()) as T) : await response.json();
    await route.fulfill({ response, json: body });
  });
}
