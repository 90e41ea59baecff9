import { useCallback, useEffect, useRef, useState } from "react";
import { FAIR_CENTS, payoutCents } from "@/lib/fairness/cents";
import { sha256Hex } from "@/lib/fairness/stream";
import { randomHex } from "@/lib/random";
import type { DiceBetType } from "./api";
import { diceRoll, diceWins } from "./fairness";
import { dicePayout } from "./payout";

type Commitment = { serverSeed: string; hash: string };
export type DemonstrationRoll = { id: number; roll: number; isWin: boolean; paidCents: number } & Commitment;

export type Demonstration = {
  /** The hash of the next roll's seed; null while it is being computed. */
  hash: string | null;
  /** The numbers that pass by before the result; null otherwise. */
  tumbling: number | null;
  /** Newest last. */
  rolls: readonly DemonstrationRoll[];
  /** Why the browser cannot compute a roll; empty if it can. */
  problem: string;
};

const CLIENT_SEED = "glasshouse-demo";
/** The stake that the displayed win is based on: one dollar. */
export const BET_CENTS = 100;
const KEPT_ROLLS = 40;
/** As in the real game: fast numbers, then slow ones, then the result. */
const TICKS_MS: readonly number[] = [50, 50, 50, 50, 50, 60, 70, 90, 120, 160];

async function commit(): Promise<Commitment> {
  const serverSeed = randomHex(32);
  return { serverSeed, hash: await sha256Hex(serverSeed) };
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Rolls that the visitor's own browser computes with the real scheme: commit, roll, reveal. */
export function useDemonstrationRoll(isStill: boolean) {
  const [state, setState] = useState<Demonstration>({ hash: null, tumbling: null, rolls: [], problem: "" });
  const commitment = useRef<Commitment | null>(null);
  const isMounted = useRef(true);

  const prepare = useCallback(async () => {
    try {
      commitment.current = await commit();
      const { hash } = commitment.current;
      setState((before) => ({ ...before, hash }));
    } catch (error) {
      setState((before) => ({ ...before, problem: (error as Error).message }));
    }
  }, []);
  useEffect(() => {
    isMounted.current = true;
    void prepare();
    return () => {
      isMounted.current = false;
    };
  }, [prepare]);

  async function roll(target: number, side: DiceBetType) {
    const committed = commitment.current;
    if (!committed) return;
    commitment.current = null;
    for (const wait of isStill ? [] : TICKS_MS) {
      if (!isMounted.current) return;
      setState((before) => ({ ...before, tumbling: 1 + Math.floor(Math.random() * 100) }));
      // oxlint-disable-next-line no-await-in-loop -- the numbers follow each other
      await pause(wait);
    }
    const { roll: number } = await diceRoll(committed.serverSeed, CLIENT_SEED, 0);
    const payout = dicePayout(BET_CENTS, target, side);
    const { cents } = await payoutCents(payout, FAIR_CENTS, committed.serverSeed, CLIENT_SEED, 0);
    setState((before) => {
      const id = (before.rolls.at(-1)?.id ?? 0) + 1;
      const rolled = { id, roll: number, isWin: diceWins(number, target, side), paidCents: cents, ...committed };
      return { ...before, tumbling: null, rolls: [...before.rolls, rolled].slice(-KEPT_ROLLS) };
    });
    await prepare();
  }
  return { ...state, roll };
}
