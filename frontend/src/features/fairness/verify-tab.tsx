import { type FormEvent, useEffect, useState } from "react";
import { ApiError, errorMessage } from "@/api/client";
import { Button, ErrorState, Field, Input, Spinner, Verdict } from "@/components";
import { gameTypeLabel } from "@/games/registry";
import { fetchSettledRound, type SettledRound } from "@/games/rounds/api";
import { useExplainRound } from "@/games/rounds/explain";
import { CheckList } from "@/games/rounds/check-list";
import type { Verification } from "@/games/rounds/verification";
import { verifyRound } from "@/games/verify-round";
import { formatDateTime } from "@/lib/format";
import { parseInteger } from "@/lib/money";
import { ManualForm } from "./manual-form";
import { HouseSeedNote, PublicRecordLine } from "./public-record-line";

type Step =
  | { at: "asking" }
  | { at: "loading" }
  | { at: "failed"; message: string }
  | { at: "unrevealed"; round: SettledRound }
  | { at: "unsupported"; round: SettledRound }
  | { at: "verified"; round: SettledRound; verification: Verification };

async function check(id: number): Promise<Step> {
  try {
    const round = await fetchSettledRound(id);
    if (typeof round.serverSeed !== "string") return { at: "unrevealed", round };
    const verification = await verifyRound(round, round.serverSeed);
    return verification ? { at: "verified", round, verification } : { at: "unsupported", round };
  } catch (error) {
    const isUnknown = error instanceof ApiError && error.status === 404;
    const fallback = error instanceof Error && !(error instanceof ApiError) ? error.message : "Something went wrong";
    return { at: "failed", message: isUnknown ? `You have no settled round ${id}.` : errorMessage(error, fallback) };
  }
}

/** Recomputes one of the player's settled rounds in the browser. */
export function VerifyTab({ roundId, onRotate }: { roundId?: number | undefined; onRotate(): void }) {
  const [text, setText] = useState(roundId === undefined ? "" : String(roundId));
  const [problem, setProblem] = useState<string>();
  const [step, setStep] = useState<Step>({ at: roundId === undefined ? "asking" : "loading" });

  async function verify(id: number) {
    setStep({ at: "loading" });
    setStep(await check(id));
  }
  // A round selected in the history is verified at once.
  useEffect(() => {
    if (roundId !== undefined) void check(roundId).then(setStep);
  }, [roundId]);

  function submit(event: FormEvent) {
    event.preventDefault();
    const id = parseInteger(text.replace(/^\s*#/, ""));
    if (id !== null && id > 0 && id !== Infinity) {
      setProblem(undefined);
      void verify(id);
    } else setProblem("Enter a whole number, as shown next to the round in your history.");
  }
  return (
    <div className="grid gap-5">
      <form
        onSubmit={submit}
        noValidate
        className={problem === undefined ? "flex items-end gap-3" : "flex items-center gap-3"}
      >
        <div className="flex-1">
          <Field label="Round number" error={problem}>
            {(ids) => (
              <Input
                {...ids}
                inputMode="numeric"
                autoComplete="off"
                value={text}
                onChange={(event) => setText(event.target.value)}
              />
            )}
          </Field>
        </div>
        <Button type="submit" variant="primary" loading={step.at === "loading"}>
          Verify
        </Button>
      </form>
      <Outcome step={step} onRotate={onRotate} />
      <details className="border-t border-line pt-4">
        <summary className="target flex cursor-pointer items-center text-14 text-ink-2 underline underline-offset-4 hover:text-ink">
          Verify any values by hand
        </summary>
        <ManualForm />
      </details>
    </div>
  );
}

function Outcome({ step, onRotate }: { step: Step; onRotate(): void }) {
  switch (step.at) {
    case "asking":
      return (
        <p className="text-14 text-ink-2">Enter the number of a round, or choose Verify next to one in your history.</p>
      );
    case "loading":
      return <Spinner label="Verifying" />;
    case "failed":
      return <ErrorState title={step.message} />;
    case "unsupported":
      return (
        <p className="text-14 text-ink-2">
          Round {step.round.id} uses a game or a rules version that this page does not know.
        </p>
      );
    case "unrevealed":
      return (
        <div className="grid justify-items-start gap-3">
          <p className="text-14 text-ink-2">
            Round {step.round.id} was played with the server seed that is still in use. Rotate your seeds to reveal it,
            then verify.
          </p>
          <PublicRecordLine round={step.round} />
          <HouseSeedNote clientSeedBy={step.round.clientSeedBy} />
          <div className="flex flex-wrap gap-3">
            <Button onClick={onRotate}>Go to seeds</Button>
            <Explain round={step.round} />
          </div>
        </div>
      );
    case "verified":
      return <VerifiedRound round={step.round} verification={step.verification} />;
  }
}

/** Leads to the chain from the seeds to the result. */
function Explain({ round }: { round: SettledRound }) {
  const explain = useExplainRound();
  if (explain === null) return null;
  return (
    <Button className="justify-self-start" onClick={() => explain(round.id)}>
      How this result came about
    </Button>
  );
}

function VerifiedRound({ round, verification }: { round: SettledRound; verification: Verification }) {
  return (
    <section aria-label={`Round ${round.id}`} className="grid gap-3">
      <Verdict
        holds={verification.holds}
        good={`Match: round ${round.id} is exactly what its seeds give.`}
        bad={`Mismatch: round ${round.id} is not what its seeds give.`}
      />
      <p className="text-13 text-ink-2">
        {gameTypeLabel(round.gameType)}, {formatDateTime(round.createdAt)}: HMAC-SHA256 of{" "}
        <code className="break-all">{`${round.clientSeed}:${round.nonce}:0`}</code> {verification.derivation}
      </p>
      <PublicRecordLine round={round} />
      <HouseSeedNote clientSeedBy={round.clientSeedBy} />
      <Explain round={round} />
      {verification.evidence}
      <CheckList checks={verification.checks} claimedLabel="claimed" />
    </section>
  );
}
