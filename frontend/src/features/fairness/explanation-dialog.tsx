import { ArrowDown } from "lucide-react";
import type { ReactNode } from "react";
import useSWR from "swr";
import { errorMessage } from "@/api/client";
import { Button, CopyButton, Dialog, ErrorState, Spinner, Verdict } from "@/components";
import { gameTypeLabel } from "@/games/registry";
import { formatDateTime } from "@/lib/format";
import { formatWire } from "@/lib/money";
import { fetchChain, type RevealedSteps, type RoundChain } from "./round-chain";

type ExplanationDialogProps = {
  open: boolean;
  onOpenChange(open: boolean): void;
  roundId: number;
  /** Opens the seeds, where the player reveals the server seed. */
  onOpenSeeds(): void;
};

/** The chain from the committed hash to a round's result. */
export function ExplanationDialog({ open, onOpenChange, roundId, onOpenSeeds }: ExplanationDialogProps) {
  const { data, error, mutate } = useSWR<RoundChain, unknown>(["round-chain", roundId], () => fetchChain(roundId));
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="How this result came about"
      description={
        data === undefined
          ? `Round ${roundId}`
          : `Round ${roundId}, ${gameTypeLabel(data.round.gameType)}, ${formatDateTime(data.round.createdAt)}`
      }
      wide
      fixedTop
    >
      {data !== undefined ? (
        <Chain chain={data} onOpenSeeds={onOpenSeeds} />
      ) : error === undefined ? (
        <Spinner label="Computing" />
      ) : (
        <ErrorState
          title="The round could not be explained"
          description={errorMessage(error, error instanceof Error ? error.message : "Something went wrong")}
          onRetry={() => void mutate()}
        />
      )}
    </Dialog>
  );
}

function Chain({ chain: { round, message, revealed }, onOpenSeeds }: { chain: RoundChain; onOpenSeeds(): void }) {
  return (
    <ol className="grid">
      <Box title="Committed hash" value={round.serverSeedHash}>
        Shown before the round: it fixes the server seed without telling it.
      </Box>
      {revealed === null ? (
        <Box title="Server seed">
          It is still in use, and revealed when you rotate your seeds.
          <Button size="small" className="mt-2 flex" onClick={onOpenSeeds}>
            Go to seeds
          </Button>
        </Box>
      ) : (
        <Box title="Server seed" value={revealed.serverSeed}>
          {revealed.computedHash === round.serverSeedHash
            ? "Its SHA-256 is exactly the committed hash, computed in your browser."
            : "Its SHA-256 is not the committed hash."}
        </Box>
      )}
      <Box title="Client seed and nonce" value={message}>
        {round.clientSeedBy === "house" ? "The house" : "You or your browser"} chose the client seed; round{" "}
        {round.nonce} of this pair of seeds; the last number counts the blocks from 0.
      </Box>
      {revealed === null ? (
        <Box title="HMAC-SHA256">
          The server seed signs the text above; what comes out can be computed by anyone once the seed is revealed.
        </Box>
      ) : (
        <Words revealed={revealed} />
      )}
      <Result round={round} revealed={revealed} />
    </ol>
  );
}

/** The stream, and how its words become the result. */
function Words({ revealed: { block, words, verification } }: { revealed: RevealedSteps }) {
  return (
    <>
      <Box title="HMAC-SHA256" value={block}>
        The server seed signs the text above.
      </Box>
      <Box title="Words" value={words.join(" ")}>
        The same bytes, read as eight numbers below 2³².
        {verification !== null && <> HMAC-SHA256 of the text {verification.derivation}</>}
      </Box>
    </>
  );
}

function Result({ round, revealed }: Pick<RoundChain, "round" | "revealed">) {
  const amounts = `${sentence(round.outcome)}: bet ${formatWire(round.betAmount)}, paid ${formatWire(round.winAmount)}.`;
  const verification = revealed?.verification ?? null;
  if (verification === null)
    return (
      <Box title="Result" isLast>
        {amounts} {revealed !== null && "It uses a game or a rules version that this page does not know."}
      </Box>
    );
  return (
    <Box title="Result" isLast>
      <span className="grid gap-3">
        {amounts}
        <Verdict
          holds={verification.holds}
          good="Exactly what the seeds give."
          bad="This is not what the seeds give."
        />
        {verification.evidence}
        <span className="grid gap-1">
          {verification.checks.slice(1).map(({ name, computed, note }) => (
            <span key={name} className="block">
              {name}: <strong className="break-words font-semibold text-ink">{shortened(computed)}</strong>
              {note !== undefined && <span className="block text-12 text-ink-3">{note}</span>}
            </span>
          ))}
        </span>
      </span>
    </Box>
  );
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Long lists, such as a whole market, are in the verifier. */
const MAX_SHOWN = 240;
const shortened = (text: string): string => (text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)} …`);

type BoxProps = { title: string; value?: string; isLast?: boolean; children: ReactNode };

/** One step: its name, its value if it has one, and a sentence. */
function Box({ title, value, isLast = false, children }: BoxProps) {
  return (
    <li className="grid justify-items-center">
      <div className="grid w-full gap-1 rounded-control border border-line bg-well p-3">
        <div className="flex items-center justify-between gap-2">
          <h3 className="text-14 font-semibold">{title}</h3>
          {value !== undefined && (
            <span className="-my-3 -mr-2">
              <CopyButton text={value} label={`Copy ${title.toLowerCase()}`} />
            </span>
          )}
        </div>
        {value !== undefined && <code className="break-all font-mono text-12 text-ink-2">{value}</code>}
        <div className="text-13 text-ink-2">{children}</div>
      </div>
      {!isLast && <ArrowDown aria-hidden className="my-1 size-4 text-ink-3" />}
    </li>
  );
}
