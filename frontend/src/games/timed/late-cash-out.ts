import { ApiError } from "@/api/client";
import { formatWire } from "@/lib/money";

/** A cash-out or sale that arrived after the crash, by the server's clock. */
export type LateCashOut = {
  roundId: number;
  lateByMs: number;
  crashPoint: number | null;
  claimedMultiplier: number | null;
};

const numberOf = (value: unknown): number | null => (typeof value === "number" ? value : null);

/** The details of an error about a late cash-out; null for other errors. */
export function lateCashOutOf(error: unknown): LateCashOut | null {
  if (!(error instanceof ApiError) || error.body === undefined) return null;
  const { body } = error;
  const [roundId, lateByMs] = [numberOf(body.roundId), numberOf(body.lateByMs)];
  if (roundId === null || lateByMs === null) return null;
  return {
    roundId,
    lateByMs,
    crashPoint: numberOf(body.crashPoint),
    claimedMultiplier: numberOf(body.claimedMultiplier),
  };
}

/** The toast text of a lost round if the player was too late. */
export const lateDescription = (late: string | null, betAmount: string): string | null =>
  late === null ? null : `${late} You lost ${formatWire(betAmount)}`;

/** "Your cash-out at 1.16× arrived 640 ms after the crash at 1.24×." */
export function lateText({ lateByMs, crashPoint, claimedMultiplier }: LateCashOut): string {
  const milliseconds = `${lateByMs.toLocaleString("en-US")} ms`;
  if (crashPoint === null || claimedMultiplier === null)
    return `Your sale arrived ${milliseconds} after the market crashed.`;
  return `Your cash-out at ${claimedMultiplier.toFixed(2)}× arrived ${milliseconds} after the crash at ${crashPoint.toFixed(2)}×.`;
}
