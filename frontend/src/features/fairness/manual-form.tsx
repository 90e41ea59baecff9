import { type FormEvent, useState } from "react";
import { Button, Field, Input } from "@/components";
import { type CrashPoint, crashPoint } from "@/lib/fairness/crash";
import { diceRoll } from "@/lib/fairness/dice";
import { drawCards } from "@/lib/fairness/cards";
import { judge } from "@/lib/fairness/heads-up";
import { stonksPath } from "@/lib/fairness/stonks";
import { centWord, isClientSeed, sha256Hex } from "@/lib/fairness/stream";
import type { Card } from "@/lib/cards";
import { parseInteger } from "@/lib/money";
import { type CardRow, CardTable } from "./card-table";
import { MarketPath } from "./market-path";

type Computed = { hash: string; roll: number; crash: CrashPoint; market: number[]; cards: Card[]; cent: number };

/** Both poker games draw from one deck: the first ten cards tell of both. */
const CARDS = 10;

function videoPokerRows(cards: readonly Card[]): CardRow[] {
  return [
    { label: "Video poker: dealt", cards: cards.slice(0, 5) },
    { label: "Replacements, in their order", cards: cards.slice(5, 10) },
  ];
}

function headsUpRows(cards: readonly Card[]): CardRow[] {
  const [playerCards, houseCards, board] = [cards.slice(0, 2), cards.slice(2, 4), cards.slice(4, 9)];
  const { playerHand, houseHand } = judge({ playerCards, houseCards, board });
  return [
    { label: `Heads-up: you, ${playerHand}`, cards: playerCards },
    { label: `House, ${houseHand}`, cards: houseCards },
    { label: "Board", cards: board },
  ];
}

type Problems = { serverSeed?: string | undefined; clientSeed?: string | undefined; nonce?: string | undefined };

/** What is wrong with each field. */
export function problemsOf(serverSeed: string, clientSeed: string, nonce: string): Problems {
  const number = parseInteger(nonce);
  return {
    serverSeed: serverSeed === "" ? "Enter the server seed." : undefined,
    clientSeed: isClientSeed(clientSeed) ? undefined : "A client seed has 1 to 64 letters, digits, _ and -.",
    nonce: number === null || number === Infinity ? "The nonce is a whole number from 0." : undefined,
  };
}

/** Any three values in, hash and what each game would give out: needs no account and no server. */
export function ManualForm() {
  const [serverSeed, setServerSeed] = useState("");
  const [clientSeed, setClientSeed] = useState("");
  const [nonce, setNonce] = useState("0");
  const [problems, setProblems] = useState<Problems>({});
  const [computed, setComputed] = useState<Computed | null>(null);

  async function compute(event: FormEvent) {
    event.preventDefault();
    setComputed(null);
    const wrong = problemsOf(serverSeed, clientSeed, nonce);
    setProblems(wrong);
    if (Object.values(wrong).some((text) => text !== undefined)) return;
    try {
      const seeds = [serverSeed, clientSeed, parseInteger(nonce) ?? 0] as const;
      const { roll } = await diceRoll(...seeds);
      const [hash, crash, market, cards, cent] = await Promise.all([
        sha256Hex(serverSeed),
        crashPoint(...seeds),
        stonksPath(...seeds),
        drawCards(...seeds, CARDS),
        centWord(...seeds),
      ]);
      setComputed({ hash, roll, crash, market, cards, cent });
    } catch (error) {
      setProblems({ serverSeed: error instanceof Error ? error.message : "Something went wrong" });
    }
  }
  return (
    <form onSubmit={(event) => void compute(event)} noValidate className="grid gap-3 pt-3">
      <Field label="Server seed" error={problems.serverSeed}>{(ids) => <Input {...ids} value={serverSeed} autoComplete="off" spellCheck={false} onChange={(event) => setServerSeed(event.target.value.trim())} />}</Field>
      <Field label="Client seed" error={problems.clientSeed}>{(ids) => <Input {...ids} value={clientSeed} autoComplete="off" spellCheck={false} onChange={(event) => setClientSeed(event.target.value.trim())} />}</Field>
      <Field label="Nonce" error={problems.nonce}>
        {(ids) => <Input {...ids} inputMode="numeric" value={nonce} onChange={(event) => setNonce(event.target.value)} />}
      </Field>
      <Button type="submit" className="justify-self-start">
        Compute
      </Button>
      {computed && (
        <div role="status" className="grid gap-1 rounded-control bg-well p-3 text-14">
          <p>
            Dice roll: <strong>{computed.roll}</strong>
          </p>
          <p>
            Crash point: <strong>{(computed.crash.hundredths / 100).toFixed(2)}×</strong>
            {computed.crash.isInstant && " (at once)"}
          </p>
          <p>Stonks:</p>
          <MarketPath points={computed.market} soldAtTick={null} />
          <CardTable rows={videoPokerRows(computed.cards)} />
          <CardTable rows={headsUpRows(computed.cards)} />
          <p>
            Word of the last cent: <strong>{computed.cent}</strong>. A fraction of a cent above {(computed.cent / 2 ** 32).toFixed(4)} is rounded up.
          </p>
          <p className="break-all text-13 text-ink-2">Server seed hash: {computed.hash}</p>
        </div>
      )}
    </form>
  );
}
