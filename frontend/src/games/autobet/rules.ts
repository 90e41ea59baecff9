import { formatDollars } from "@/lib/money";

// The rules of autobet: what is bet next, and when it ends. All amounts are whole cents.

/** What happens to the stake after a round: it stays, returns to the base stake, or grows. */
export type StakeChange = { kind: "keep" } | { kind: "reset" } | { kind: "increase"; percentHundredths: number };

/** Null where there is no limit. */
export type Plan = {
  baseStakeCents: number;
  rounds: number | null;
  onWin: StakeChange;
  onLoss: StakeChange;
  stopOnProfitCents: number | null;
  stopOnLossCents: number | null;
  stopBelowBalanceCents: number | null;
  stopAboveBalanceCents: number | null;
};

export type Totals = { rounds: number; wins: number; losses: number; stakedCents: number; profitCents: number };
export const NO_ROUNDS: Totals = { rounds: 0, wins: 0, losses: 0, stakedCents: 0, profitCents: 0 };

export type Settled = { stakeCents: number; payoutCents: number; isWin: boolean };
export type StakeLimits = { minimumCents: number; maximumCents: number; balanceCents: number };

/** Why autobet ended. */
export type StopReason =
  | { kind: "player" | "left" | "session" | "closed" | "elsewhere" }
  | { kind: "rounds"; rounds: number }
  | { kind: "profit" | "loss" | "balance-below" | "balance-above"; limitCents: number }
  | { kind: "below-minimum" | "above-maximum" | "above-balance"; stakeCents: number; limitCents: number }
  | { kind: "refused"; message: string }
  | { kind: "unknown"; stakeCents: number };

/** 100 % in hundredths of a percent. */
const WHOLE = 10_000;

/** A stake increased by a percentage, rounded half up to a whole cent. */
export function increasedRoundingHalfUp(stakeCents: number, percentHundredths: number): number {
  return Math.floor((stakeCents * (WHOLE + percentHundredths) + WHOLE / 2) / WHOLE);
}

/** The stake of the next round. */
export function nextStakeCents(plan: Plan, stakeCents: number, isWin: boolean): number {
  const change = isWin ? plan.onWin : plan.onLoss;
  if (change.kind === "keep") return stakeCents;
  if (change.kind === "reset") return plan.baseStakeCents;
  return increasedRoundingHalfUp(stakeCents, change.percentHundredths);
}

export function totalsAfter(totals: Totals, { stakeCents, payoutCents, isWin }: Settled): Totals {
  return {
    rounds: totals.rounds + 1,
    wins: totals.wins + (isWin ? 1 : 0),
    losses: totals.losses + (isWin ? 0 : 1),
    stakedCents: totals.stakedCents + stakeCents,
    profitCents: totals.profitCents + payoutCents - stakeCents,
  };
}

/** Why the player's limits end it here; null if they do not. */
export function limitReached(plan: Plan, totals: Totals, balanceCents: number): StopReason | null {
  const { rounds, stopOnProfitCents, stopOnLossCents, stopBelowBalanceCents, stopAboveBalanceCents } = plan;
  if (stopOnProfitCents !== null && totals.profitCents >= stopOnProfitCents)
    return { kind: "profit", limitCents: stopOnProfitCents };
  if (stopOnLossCents !== null && -totals.profitCents >= stopOnLossCents)
    return { kind: "loss", limitCents: stopOnLossCents };
  if (stopBelowBalanceCents !== null && balanceCents < stopBelowBalanceCents)
    return { kind: "balance-below", limitCents: stopBelowBalanceCents };
  if (stopAboveBalanceCents !== null && balanceCents > stopAboveBalanceCents)
    return { kind: "balance-above", limitCents: stopAboveBalanceCents };
  if (rounds !== null && totals.rounds >= rounds) return { kind: "rounds", rounds };
  return null;
}

/** Why a stake cannot be bet; null if it can. Another stake is never bet in its place. */
export function refuseStake(stakeCents: number, limits: StakeLimits): StopReason | null {
  const { minimumCents, maximumCents, balanceCents } = limits;
  if (stakeCents < minimumCents) return { kind: "below-minimum", stakeCents, limitCents: minimumCents };
  if (stakeCents > maximumCents) return { kind: "above-maximum", stakeCents, limitCents: maximumCents };
  if (stakeCents > balanceCents) return { kind: "above-balance", stakeCents, limitCents: balanceCents };
  return null;
}

/** The reason as a sentence. */
export function reasonText(reason: StopReason): string {
  switch (reason.kind) {
    case "player":
      return "You stopped it.";
    case "left":
      return "You left the game.";
    case "session":
      return "You are no longer logged in as the player who started it.";
    case "closed":
      return "The game is not accepting new rounds at the moment.";
    case "elsewhere":
      return "Autobet is already running in another tab.";
    case "rounds":
      return reason.rounds === 1 ? "The round was played." : `All ${reason.rounds} rounds were played.`;
    case "profit":
      return `The profit has reached ${formatDollars(reason.limitCents)}.`;
    case "loss":
      return `The loss has reached ${formatDollars(reason.limitCents)}.`;
    case "balance-below":
      return `The balance is below ${formatDollars(reason.limitCents)}.`;
    case "balance-above":
      return `The balance is above ${formatDollars(reason.limitCents)}.`;
    case "below-minimum":
      return `The next bet of ${formatDollars(reason.stakeCents)} is below the minimum of ${formatDollars(reason.limitCents)}.`;
    case "above-maximum":
      return `The next bet of ${formatDollars(reason.stakeCents)} is above the maximum of ${formatDollars(reason.limitCents)}.`;
    case "above-balance":
      return `The next bet of ${formatDollars(reason.stakeCents)} is above your balance of ${formatDollars(reason.limitCents)}.`;
    case "refused":
      return `The bet was refused: ${reason.message.replace(/\.$/, "")}.`;
    case "unknown":
      return `It is not known whether the bet of ${formatDollars(reason.stakeCents)} was placed. Check your last bets before you continue.`;
  }
}
