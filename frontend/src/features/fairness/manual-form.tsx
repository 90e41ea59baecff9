import { type FormEvent, useState } from "react";
import { Button, Field, Input } from "@/components";
import { type CrashPoint, crashPoint } from "@/lib/fairness/crash";
import { diceRoll } from "@/lib/fairness/dice";
import { stonksPath } from "@/lib/fairness/stonks";
import { isClientSeed, sha256Hex } from "@/lib/fairness/stream";
import { MarketPath } from "./market-path";

type Computed = { hash: string; roll: number; crash: CrashPoint; market: number[] };

/** Any three values in, hash and what each game would give out: needs no account and no server. */
export function ManualForm() {
  const [serverSeed, setServerSeed] = useState("");
  const [clientSeed, setClientSeed] = useState("");
  const [nonce, setNonce] = useState("0");
  const [problem, setProblem] = useState("");
  const [computed, setComputed] = useState<Computed | null>(null);

  async function compute(event: FormEvent) {
    event.preventDefault();
    setComputed(null);
    if (serverSeed === "" || !isClientSeed(clientSeed) || !/^\d{1,15}$/.test(nonce)) {
      setProblem("A server seed, a client seed of letters, digits, _ and -, and a whole nonce are needed.");
      return;
    }
    setProblem("");
    try {
      const seeds = [serverSeed, clientSeed, Number(nonce)] as const;
      const { roll } = await diceRoll(...seeds);
      setComputed({ hash: await sha256Hex(serverSeed), roll, crash: await crashPoint(...seeds), market: await stonksPath(...seeds) });
    } catch (error) {
      setProblem(error instanceof Error ? error.message : "Something went wrong");
    }
  }
  return (
    <form onSubmit={(event) => void compute(event)} noValidate className="grid gap-3 pt-3">
      <Field label="Server seed">{(ids) => <Input {...ids} value={serverSeed} autoComplete="off" spellCheck={false} onChange={(event) => setServerSeed(event.target.value.trim())} />}</Field>
      <Field label="Client seed">{(ids) => <Input {...ids} value={clientSeed} autoComplete="off" spellCheck={false} onChange={(event) => setClientSeed(event.target.value.trim())} />}</Field>
      <Field label="Nonce" error={problem === "" ? undefined : problem}>
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
          <p className="break-all text-13 text-ink-2">Server seed hash: {computed.hash}</p>
        </div>
      )}
    </form>
  );
}
