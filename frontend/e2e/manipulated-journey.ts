// A player whose browser has verified a few rounds, before and after the operator changes the database.

import { randomBytes } from "node:crypto";
import { copyFile } from "node:fs/promises";
import { type Browser, type BrowserContext, expect, type Locator, type Page } from "@playwright/test";
import { dayNumber } from "./midnight";
import { OwnHouse, type Said } from "./own-house";
import { PASSWORD } from "./support";
import { alertOf, callsOf, roundsOf, untilInLog } from "./trust-support";

/** What a player does and what each step shows. */
export type Look =
  /** Opens the history. */
  | "history"
  /** Chooses Verify next to round 2 in the history. */
  | "verify"
  /** Closes the result and does the same again. */
  | "verify again"
  /** Reveals the seeds and proves all of their rounds. */
  | "prove"
  /** Opens a game, as on the next day. */
  | "visit"
  /** Places another bet; it may be refused. */
  | "bet"
  /** Stays for a minute, in which the browser asks for a proof. */
  | "a minute"
  /** Stays for eleven minutes. */
  | "wait";

const ROUNDS = 3;
const MINUTE = 60_000;
const ELEVEN_MINUTES = 11 * MINUTE;
const BETWEEN_PROOFS = 15_000;

/** What the result of verifying a round begins with, also if the house does not show the round. */
const RESULT = /^(Round 2 was played|Match: round 2|Mismatch: round 2|You have no settled round 2|\d{3}: )/;

const roll = (page: Page) => page.getByRole("button", { name: /^Roll for/ }).locator("visible=true");
/** It shows how far each round is verified, once for the eyes and once for screen readers. */
const lastBets = (page: Page) => page.getByRole("table", { name: /^Your last bets/ });
const dialogOf = (page: Page) => page.getByRole("dialog", { name: "Provably fair" });

/** A signed-in player of a house of its own. */
export class Journey {
  constructor(
    readonly house: OwnHouse,
    readonly page: Page,
  ) {}

  /** Registers the first player of the house, with $100. */
  async register(): Promise<void> {
    const calls = callsOf(this.page);
    const { url } = this.house;
    const data = { username: `player-${randomBytes(4).toString("hex")}`, password: PASSWORD };
    const answer = await calls.post(`${url}/api/register`, { data });
    const { id } = (await answer.json()) as { id: number };
    expect(id, "the database is new").toBe(2);
    const administrator = await this.house.administrator();
    await administrator.post(`/api/admin/users/${id}/balance`, {
      data: { balance: "100.00", reason: "Funds for a test" },
    });
    await administrator.dispose();
  }

  /** Rolls dice until the player has this many rounds. */
  async play(rounds: number): Promise<void> {
    await this.page.goto(`${this.house.url}/dice`);
    const recorded = lastBets(this.page).getByText(/recorded|proved/);
    const played = (await roundsOf(this.page, this.house.url)).length;
    for (let round = played + 1; round <= rounds; round += 1) {
      await roll(this.page).click();
      await expect(recorded).toHaveCount(2 * round);
    }
  }

  /** Waits until the browser has proved that all rounds are in the log. */
  async untilProved(rounds: number): Promise<void> {
    await untilInLog(this.page, this.house.url);
    const proved = lastBets(this.page).getByText("proved");
    await expect(async () => {
      await this.page.clock.fastForward(BETWEEN_PROOFS);
      await expect(proved).toHaveCount(2 * rounds, { timeout: 1000 });
    }).toPass();
    await expect(alertOf(this.page)).toBeHidden();
  }

  /** An audit of the log as it is now, whose state is remembered. */
  async audit(): Promise<void> {
    const { code, text } = await this.house.command("audit", this.house.url, "--state", this.house.file("state.json"));
    expect(code, text).toBe(0);
  }

  /** Lets the house's time pass as well, while it is closed. */
  async passElevenMinutes(): Promise<void> {
    await this.house.stop();
    await this.house.sql(
      `UPDATE house_clock SET not_before_micros = (strftime('%s', 'now') + ${ELEVEN_MINUTES / 1000}) * 1000000;`,
    );
    await this.house.start();
    await this.page.clock.fastForward(ELEVEN_MINUTES);
  }

  /** Continues as a player would. */
  async look(step: Look): Promise<void> {
    const { page, house } = this;
    switch (step) {
      case "history":
      case "visit":
        await page.goto(`${house.url}/${step === "visit" ? "dice" : "history"}`);
        return;
      case "verify":
      case "verify again":
        if (step === "verify") await page.goto(`${house.url}/history`);
        else await page.keyboard.press("Escape");
        await page.getByRole("button", { name: "Verify round 2" }).locator("visible=true").click();
        await expect(dialogOf(page).getByText(RESULT)).toBeVisible();
        await expect(dialogOf(page).getByText("Checking the receipt and the public record")).toBeHidden();
        return;
      case "prove":
        await page.goto(`${house.url}/dice`);
        await page.getByRole("button", { name: "Provably fair" }).click();
        await dialogOf(page).getByRole("button", { name: "Prove everything" }).click();
        await expect(dialogOf(page).getByText(/Everything holds|did not hold/)).toBeVisible();
        return;
      case "bet": {
        if (!page.url().endsWith("/dice")) await page.goto(`${house.url}/dice`);
        const answered = page.waitForResponse("**/api/dice/play");
        await roll(page).click();
        await answered;
        return;
      }
      case "a minute": {
        const asked = page.waitForResponse("**/proof");
        await page.clock.fastForward(MINUTE);
        await (await asked).finished();
        return;
      }
      case "wait":
        await this.passElevenMinutes();
    }
  }

  /** What is said outside of a dialog is not read out while it is open. */
  async closeDialog(): Promise<void> {
    if (await dialogOf(this.page).isVisible()) await this.page.keyboard.press("Escape");
  }

  /** What the audit says of the evidence, which the player saves. */
  async auditEvidence(alert: Locator): Promise<Said> {
    const download = this.page.waitForEvent("download");
    await alert.getByRole("button", { name: "Save evidence" }).click();
    const file = await (await download).path();
    const state = this.house.file("state-of-evidence.json");
    await copyFile(this.house.file("state.json"), state);
    return this.house.command("audit", this.house.url, "--state", state, "--evidence", file);
  }

  /** What an audit says that has seen the log before. */
  async auditAgain(): Promise<Said> {
    const state = this.house.file("state.json");
    return this.house.command("audit", this.house.url, "--state", state, "--from-start");
  }
}

/** What the browser has stored, and how far its clock is ahead. */
type Browsed = { stored: Awaited<ReturnType<BrowserContext["storageState"]>>; aheadMs: number };

/**
 * A house whose player has played and proved rounds 1 to 3, with a backup from after round 1 and an audit from after
 * round 3. Its files and what the browser has stored are kept, so that many journeys can begin there.
 */
export class PlayedHouse {
  #house: OwnHouse | null = null;
  #browsed: Browsed | null = null;

  /** Begins a journey, the first time after playing the rounds. Its page is closed by the caller. */
  async begin(browser: Browser): Promise<Journey> {
    this.#house ??= await openWithoutBooks();
    this.#browsed ??= await this.#play(this.#house, browser);
    await this.#house.startAsKept();
    const { stored, aheadMs } = this.#browsed;
    const page = await newPage(browser, aheadMs, stored);
    return new Journey(this.#house, page);
  }

  async #play(house: OwnHouse, browser: Browser): Promise<Browsed> {
    const page = await newPage(browser, 0);
    const journey = new Journey(house, page);
    await journey.register();
    await journey.play(1);
    await untilInLog(page, house.url);
    await house.backUp();
    await journey.play(ROUNDS);
    await journey.untilProved(ROUNDS);
    await journey.audit();
    const aheadMs = (await page.evaluate(() => Date.now())) - Date.now();
    const stored = await page.context().storageState({ indexedDB: true });
    await page.context().close();
    await house.keep();
    return { stored, aheadMs };
  }

  async close(): Promise<void> {
    await this.#house?.close();
  }
}

/**
 * A house whose log takes the books of today and tomorrow for written, so that its entries are the same if a day ends
 * during a journey.
 */
async function openWithoutBooks(): Promise<OwnHouse> {
  const house = await OwnHouse.open();
  const changed = await house.sql(`UPDATE log_state SET books_day = ${dayNumber() + 2} RETURNING id;`);
  expect(changed, "the house has one log").toBe("1");
  return house;
}

async function newPage(browser: Browser, aheadMs: number, storageState?: Browsed["stored"]): Promise<Page> {
  const context = await browser.newContext(storageState ? { storageState } : {});
  const page = await context.newPage();
  await page.clock.install({ time: Date.now() + aheadMs });
  return page;
}
