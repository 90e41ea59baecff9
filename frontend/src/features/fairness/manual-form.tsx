import { Fragment, type FormEvent, type ReactNode, useState } from "react";
import { Button, Field, Input } from "@/components";
import { useGameStatuses } from "@/games/game-status";
import { GAMES, loadVerifiers } from "@/games/registry";
import { centWord, isClientSeed, sha256Hex } from "@/lib/fairness/stream";
import { parseInteger } from "@/lib/money";

/** The results of each game, in the order of the games. */
type Computed = { hash: string; results: readonly ReactNode[]; cent: number };

type Problems = { serverSeed?: string | undefined; clientSeed?: string | undefined; nonce?: string | undefined };

/** Validates each field. */
export function problemsOf(serverSeed: string, clientSeed: string, nonce: string): Problems {
  const number = parseInteger(nonce);
  return {
    serverSeed: serverSeed === "" ? "Enter the server seed." : undefined,
    clientSeed: isClientSeed(clientSeed) ? undefined : "A client seed must be 1 to 64 letters, digits, _ and -.",
    nonce: number === null || number === Infinity ? "The nonce must be a whole number, 0 or greater." : undefined,
  };
}

/** Computes the hash and each game's result from any three values, without an account or the server. */
export function ManualForm() {
  const [serverSeed, setServerSeed] = useState("");
  const [clientSeed, setClientSeed] = useState("");
  const [nonce, setNonce] = useState("0");
  const [problems, setProblems] = useState<Problems>({});
  const [computed, setComputed] = useState<Computed | null>(null);
  const { statusOf } = useGameStatuses();

  async function compute(event: FormEvent) {
    event.preventDefault();
    setComputed(null);
    const wrong = problemsOf(serverSeed, clientSeed, nonce);
    setProblems(wrong);
    if (Object.values(wrong).some((text) => text !== undefined)) return;
    try {
      const seeds = { serverSeed, clientSeed, nonce: parseInteger(nonce) ?? 0 };
      const verifiers = await loadVerifiers();
      const [hash, cent, results] = await Promise.all([
        sha256Hex(serverSeed),
        centWord(serverSeed, clientSeed, seeds.nonce),
        Promise.all(verifiers.map((verifier) => verifier.compute(seeds))),
      ]);
      setComputed({ hash, results, cent });
    } catch (error) {
      setProblems({ serverSeed: error instanceof Error ? error.message : "Something went wrong" });
    }
  }
  return (
    <form onSubmit={(event) => void compute(event)} noValidate className="grid gap-3 pt-3">
      <Field label="Server seed" error={problems.serverSeed}>
        {(ids) => (
          <Input
            {...ids}
            value={serverSeed}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setServerSeed(event.target.value.trim())}
          />
        )}
      </Field>
      <Field label="Client seed" error={problems.clientSeed}>
        {(ids) => (
          <Input
            {...ids}
            value={clientSeed}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setClientSeed(event.target.value.trim())}
          />
        )}
      </Field>
      <Field label="Nonce" error={problems.nonce}>
        {(ids) => (
          <Input {...ids} inputMode="numeric" value={nonce} onChange={(event) => setNonce(event.target.value)} />
        )}
      </Field>
      <Button type="submit" className="justify-self-start">
        Compute
      </Button>
      {computed && (
        <div role="status" className="grid gap-1 rounded-control bg-well p-3 text-14">
          {GAMES.map(
            (game, index) =>
              statusOf(game) !== "announced" && <Fragment key={game.id}>{computed.results[index]}</Fragment>,
          )}
          <p>
            Word for the last cent: <strong>{computed.cent}</strong>. A fraction of a cent above{" "}
            {(computed.cent / 2 ** 32).toFixed(4)} is rounded up.
          </p>
          <p className="break-all text-13 text-ink-2">Server seed hash: {computed.hash}</p>
        </div>
      )}
    </form>
  );
}
