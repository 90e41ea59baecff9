import { useEffect } from "react";
import type { FairnessRotation, FairnessState } from "@/api/trust/wire";
import { Button, ErrorState, LiveRegion, Verdict } from "@/components";
import type { PairProof } from "./prove-pair";
import { type ProofStep, useProveEverything } from "./use-prove-everything";

type ProveEverythingProps = {
  state: FairnessState;
  onBusy(isBusy: boolean): void;
  onRotated(rotation: FairnessRotation): void;
  /** The committed server seed is not the shown one any more. */
  onChanged(): Promise<unknown>;
};

const rounds = (count: number): string => `${count} ${count === 1 ? "round" : "rounds"}`;

/** The button that reveals the pair in use and verifies all of its rounds. */
export function ProveEverything({ state, onBusy, onRotated, onChanged }: ProveEverythingProps) {
  const { step, start, prove, stop } = useProveEverything(onRotated, onChanged);
  const isBusy = step.at === "rotating" || step.at === "proving";
  useEffect(() => onBusy(isBusy), [isBusy, onBusy]);
  return (
    <section aria-label="Prove everything" className="grid gap-3 border-t border-line pt-5">
      <p className="text-14 text-ink-2">
        {state.nonce === 0 && step.at === "idle"
          ? "Once you have played a round with these seeds, you can prove all rounds at once here."
          : "Rotates your seeds and recomputes every round of the revealed pair: result, payout, receipt and public record."}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button loading={isBusy} disabled={state.nonce === 0} onClick={() => void start(state)}>
          Prove everything
        </Button>
        {step.at === "proving" && <Button onClick={stop}>Stop</Button>}
      </div>
      <Progress step={step} onAgain={prove} />
      <LiveRegion message={step.at === "proving" ? `Proving ${rounds(step.total)}` : ""} />
    </section>
  );
}

function Progress({ step, onAgain }: { step: ProofStep; onAgain: ReturnType<typeof useProveEverything>["prove"] }) {
  switch (step.at) {
    case "idle":
    case "rotating":
      return null;
    case "proving":
      return (
        <div className="grid gap-1.5">
          <progress
            aria-label="Rounds proved"
            value={step.done}
            max={Math.max(1, step.total)}
            className="h-2 w-full overflow-hidden rounded-chip bg-well accent-brass"
          />
          <p className="text-13 text-ink-2">
            {step.done} of {rounds(step.total)}
          </p>
        </div>
      );
    case "stopped":
      return (
        <div className="grid justify-items-start gap-3">
          <p role="status" className="text-14 text-ink-2">
            Stopped. The seeds are revealed, so every round can still be verified.
          </p>
          <Button onClick={() => void onAgain(step.pair)}>Continue proving</Button>
        </div>
      );
    case "failed": {
      const { pair } = step;
      return <ErrorState title={step.message} {...(pair === null ? {} : { onRetry: () => void onAgain(pair) })} />;
    }
    case "done":
      return <Result proof={step.proof} isHouseSeed={step.pair.clientSeedBy === "house"} />;
  }
}

function Result({ proof, isHouseSeed }: { proof: PairProof; isHouseSeed: boolean }) {
  const { matching, proved, recorded, withoutReceipt, unsupported, mismatches } = proof;
  return (
    <div className="grid gap-2">
      <Verdict
        holds={mismatches.length === 0}
        good={`Everything holds: ${rounds(matching)} ${matching === 1 ? "is" : "are"} exactly what the seeds give.`}
        bad={`${mismatches.length} of the checks did not hold.`}
      />
      <ul className="grid gap-1 text-14 text-ink-2">
        {mismatches.map(({ roundId, text }) => (
          <li key={`${roundId} ${text}`} className="text-notice">
            {roundId !== null && <>Round {roundId}: </>}
            {text}
          </li>
        ))}
        {proved > 0 && <li>{rounds(proved)}: the receipt is valid, and the public record contains the same.</li>}
        {recorded > 0 && <li>{rounds(recorded)}: the receipt is valid; the public record follows within a minute.</li>}
        {withoutReceipt > 0 && (
          <li>
            {rounds(withoutReceipt)}: without a receipt, because they are older than receipts or not verifiable here.
          </li>
        )}
        {unsupported > 0 && <li>{rounds(unsupported)}: of rules that this page does not know.</li>}
        {isHouseSeed && (
          <li className="text-notice">
            The house chose the client seed of these rounds, so it could have known it before.
          </li>
        )}
      </ul>
    </div>
  );
}
