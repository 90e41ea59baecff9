// One round: who staked what, how it ended, and whether it is what its seeds give.

import useSWR from "swr";
import { Amount, Badge, PageHeader, Panel, Stat } from "@/components";
import { gameTypeLabel } from "@/games/registry";
import { isWin } from "@/games/rounds/game-rounds";
import { centsOf, formatWire } from "@/lib/money";
import { type AdminRound, fetchRound } from "../api/admin";
import { userIdOf } from "../decisions/rules";
import { UserLink } from "../lists/cells";
import { Fact, FactList, Moment } from "../lists/facts";
import { ThingPage } from "../lists/page";
import { tabAddress } from "../tabs";
import { Replay } from "./replay";

export function RoundPage({ roundId }: { roundId: string }) {
  const id = userIdOf(roundId);
  const round = useSWR(id === null ? null : ["admin", "round", id], () => fetchRound(id ?? 0));
  return (
    <ThingPage
      name="Round"
      id={roundId}
      hint="The ID may be mistyped. Rounds are never deleted."
      all={tabAddress("games")}
      state={round}
      isUnknown={id === null}
    >
      {(found) => <Round round={found} reload={() => void round.mutate()} />}
    </ThingPage>
  );
}

function Round({ round, reload }: { round: AdminRound; reload(): void }) {
  return (
    <>
      <PageHeader
        title={`${gameTypeLabel(round.gameType)}, round ${round.id}`}
        kicker={round.endedAt === null ? "In play" : "Settled"}
        backTo={{ to: tabAddress("games"), label: "All rounds" }}
      />
      <Panel>
        <div className="grid gap-4">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-14">
            <UserLink id={round.user.id} username={round.user.username} />
            {round.outcome !== null && (
              <Badge tone={isWin({ outcome: round.outcome }) ? "win" : "neutral"}>{round.outcome}</Badge>
            )}
          </p>
          <Amounts round={round} />
        </div>
      </Panel>
      <Replay round={round} reload={reload} />
      <Seeds round={round} />
    </>
  );
}

function Amounts({ round }: { round: AdminRound }) {
  const { winAmount, endedAt, maximumProfit } = round;
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-4 sm:grid-cols-3 xl:grid-cols-6">
      <Stat label="Stake" value={formatWire(round.betAmount)} />
      <Stat label="Payout" value={winAmount === null ? "In play" : formatWire(winAmount)} />
      <Stat
        label="Player's profit"
        value={winAmount === null ? "–" : <Amount cents={centsOf(winAmount) - centsOf(round.betAmount)} signed />}
        hint={maximumProfit === null ? undefined : `Could win ${formatWire(maximumProfit)} at most`}
      />
      <Stat
        label="Balance"
        value={formatWire(round.balanceAfter)}
        hint={winAmount === null ? "After the stake" : "After the round"}
      />
      <Stat label="Started" value={<Moment iso={round.startedAt} />} />
      <Stat label="Ended" value={endedAt === null ? "In play" : <Moment iso={endedAt} />} />
    </dl>
  );
}

/** What the round is determined by. The server seed is shown only when its player could see it as well. */
function Seeds({ round }: { round: AdminRound }) {
  return (
    <Panel title="Seeds">
      <FactList>
        <Fact name="Hash of the server seed" value={round.serverSeedHash}>
          Published before the round.
        </Fact>
        {round.serverSeed === null ? (
          <Fact name="Server seed">Still in use. It is shown once the player has rotated the seeds.</Fact>
        ) : (
          <Fact name="Server seed" value={round.serverSeed}>
            Revealed.
          </Fact>
        )}
        <Fact name="Client seed" value={round.clientSeed}>
          {round.clientSeedBy === "house" ? "Chosen by the house." : "Chosen by the player or the player's browser."}
        </Fact>
        <Fact name="Nonce">{String(round.nonce)}</Fact>
      </FactList>
    </Panel>
  );
}
