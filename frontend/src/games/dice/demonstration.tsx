import { useCallback, useEffect, useState } from "react";
import { Button, LiveRegion, SegmentedControl, Slider } from "@/components";
import { cn } from "@/lib/class-names";
import { FAIR_CENTS, payoutCents } from "@/lib/fairness/cents";
import { sha256Hex } from "@/lib/fairness/stream";
import { randomHex } from "@/lib/random";
import { formatPercent } from "@/lib/format";
import { formatDollars } from "@/lib/money";
import type { DiceBetType } from "./api";
import { dicePayout, diceRoll, diceWins, winningNumbers } from "./fairness";

type Commitment = { serverSeed: string; hash: string };
type Rolled = { roll: number; isWin: boolean; paidCents: number; serverSeed: string; hash: string };

async function commit(): Promise<Commitment> {
  const serverSeed = randomHex(32);
  return { serverSeed, hash: await sha256Hex(serverSeed) };
}

const CLIENT_SEED = "glasshouse-demo";
/** The stake that the displayed win is based on: one dollar. */
const BET_CENTS = 100;

/** A roll that the visitor's own browser computes with the real scheme: commit, roll, reveal. */
export function DemonstrationDice() {
  const [commitment, setCommitment] = useState<Commitment | null>(null);
  const [rolled, setRolled] = useState<Rolled | null>(null);
  const [target, setTarget] = useState(50);
  const [side, setSide] = useState<DiceBetType>("over");
  const [problem, setProblem] = useState("");

  const prepare = useCallback(() => commit().then(setCommitment, (error: Error) => setProblem(error.message)), []);
  useEffect(() => void prepare(), [prepare]);

  async function roll() {
    if (!commitment) return;
    setCommitment(null);
    const { roll: number } = await diceRoll(commitment.serverSeed, CLIENT_SEED, 0);
    const paid = await payoutCents(
      dicePayout(BET_CENTS, target, side),
      FAIR_CENTS,
      commitment.serverSeed,
      CLIENT_SEED,
      0,
    );
    setRolled({ roll: number, isWin: diceWins(number, target, side), paidCents: paid.cents, ...commitment });
    await prepare();
  }

  if (problem !== "") return <p className="rounded-panel bg-panel p-5 text-14 text-ink-2">{problem}</p>;
  return (
    <section aria-label="Demonstration dice" className="overflow-hidden rounded-panel bg-panel">
      <div className="grid gap-5 bg-well p-5">
        <div className="flex items-baseline justify-between gap-4">
          <p
            aria-hidden
            className={cn(
              "display text-64 font-bold",
              rolled === null ? "text-ink-3" : rolled.isWin ? "text-win" : "text-ink",
            )}
          >
            {rolled?.roll ?? "?"}
          </p>
          <p className="text-right text-13 text-ink-2">
            {rolled === null
              ? "Roll it. No account, no money."
              : rolled.isWin
                ? `A win: ${formatDollars(BET_CENTS)} pays ${formatDollars(rolled.paidCents)}`
                : "No win"}
            <span className="block text-ink-3">
              {formatPercent(winningNumbers(target, side) / 100)} chance, pays{" "}
              {(99 / winningNumbers(target, side)).toFixed(2)}×
            </span>
          </p>
        </div>
        <div aria-hidden className="relative h-2 rounded-full bg-line">
          <div
            className="absolute h-2 rounded-full bg-brass"
            style={side === "over" ? { left: `${target}%`, right: 0 } : { left: 0, width: `${target}%` }}
          />
          {rolled && (
            <div
              className="absolute inset-0 transition-transform duration-[400ms] ease-house"
              style={{ transform: `translateX(${rolled.roll}%)` }}
            >
              <span className="absolute -left-1.5 -top-2 block h-6 w-3 rounded-chip border-2 border-well bg-ink" />
            </div>
          )}
        </div>
      </div>
      <div className="grid gap-3 p-5">
        <SegmentedControl<DiceBetType>
          label="Side"
          value={side}
          onValueChange={setSide}
          options={[
            { value: "over", label: `Over ${target}` },
            { value: "under", label: `${target} or under` },
          ]}
        />
        <Slider label="Target number" value={target} min={1} max={98} onValueChange={setTarget} />
        <Button variant="primary" size="large" onClick={() => void roll()}>
          Roll
        </Button>
        <dl className="grid gap-2 text-12 text-ink-3">
          <div>
            <dt>{rolled ? "The hash shown before that roll" : "Hash of the seed that decides this roll"}</dt>
            <dd className="break-all font-mono text-ink-2">{rolled?.hash ?? commitment?.hash ?? "…"}</dd>
          </div>
          <div>
            <dt>The seed behind it</dt>
            <dd className="break-all font-mono text-ink-2">{rolled?.serverSeed ?? "revealed after the roll"}</dd>
          </div>
        </dl>
      </div>
      <LiveRegion message={rolled ? `Rolled ${rolled.roll}, ${rolled.isWin ? "a win" : "no win"}.` : ""} />
    </section>
  );
}
