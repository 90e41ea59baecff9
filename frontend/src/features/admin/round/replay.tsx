// Whether a round is what its seeds give: what the server's replay says, and this browser's own.

import type { ReactNode } from "react";
import useSWR from "swr";
import { Button, Panel, Spinner, Verdict } from "@/components";
import { CheckList } from "@/games/rounds/check-list";
import type { Verification } from "@/games/rounds/verification";
import { verifyRound } from "@/games/verify-round";
import type { AdminRound } from "../api/admin";

export function Replay({ round, reload }: { round: AdminRound; reload(): void }) {
  return (
    <Panel
      title="Replay"
      actions={
        <Button size="small" aria-label="Replay the round again" onClick={reload}>
          Replay Again
        </Button>
      }
    >
      <div className="grid gap-4">
        <ServerReplay round={round} />
        {round.details !== null && <OwnReplay round={round} details={round.details} />}
      </div>
    </Panel>
  );
}

function ServerReplay({ round: { replay, differences } }: { round: AdminRound }) {
  switch (replay) {
    case "inPlay":
      return <Note>The round is in play. Nobody is shown its outcome, and it is replayed once it has ended.</Note>;
    case "same":
      return <Verdict holds good="Replayed by the server: exactly what the seeds and the rules give." bad="" />;
    case "different":
      return (
        <Verdict
          holds={false}
          good=""
          bad={`Replayed by the server: stored otherwise than the seeds and the rules give: ${differences.join(", ")}. Somebody has changed the database.`}
        />
      );
    case "impossible":
      return (
        <Verdict
          holds={false}
          good=""
          bad="The server cannot replay it: its seed key is missing, or what is stored cannot be read. The server's log has the cause."
        />
      );
  }
}

type OwnReplayProps = { round: AdminRound; details: NonNullable<AdminRound["details"]> };

/** The verifier in this browser, which shares no code with the server. */
function OwnReplay({ round, details }: OwnReplayProps) {
  const { serverSeed } = round;
  const key = serverSeed === null ? null : ["admin", "round-verification", round.id, details.winAmount];
  const { data, error } = useSWR(key, () => verifyRound(details, serverSeed ?? ""));
  if (serverSeed === null)
    return (
      <Note>
        Your browser can replay it as well once the player has rotated the seeds. Until then the server seed is in use,
        and nobody is shown it.
      </Note>
    );
  if (error !== undefined) return <Note>Your browser could not replay it.</Note>;
  if (data === undefined) return <Spinner label="Replaying" />;
  if (data === null) return <Note>It uses a game or a rules version that this page does not know.</Note>;
  return <OwnVerdict verification={data} />;
}

function OwnVerdict({ verification }: { verification: Verification }) {
  return (
    <>
      <Verdict
        holds={verification.holds}
        good="Replayed by your browser: exactly what the revealed seeds give."
        bad="Replayed by your browser: not what the revealed seeds give."
      />
      {verification.evidence}
      <CheckList checks={verification.checks} claimedLabel="stored" aria-label="Checks" />
    </>
  );
}

const Note = ({ children }: { children: ReactNode }) => (
  <p className="max-w-[72ch] text-pretty text-14 text-ink-2">{children}</p>
);
