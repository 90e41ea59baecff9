// What the owners allow in each game besides its rules, and what its rounds in play can win.

import { useState } from "react";
import useSWR from "swr";
import { Button, ErrorState, Panel, Skeleton } from "@/components";
import { GAMES } from "@/games/registry";
import { formatWire } from "@/lib/money";
import { focusRecord } from "../lists/record-list";
import { IfPermitted } from "../permissions";
import { fetchLimitedGames, type LimitedGame } from "./api";
import { GameLimitsDialog } from "./game-limits-dialog";

const REFRESH_MS = 15_000;

/** A game of the registry with its limits. A newer server may have games that this version does not know. */
const labelled = (games: readonly LimitedGame[]): { label: string; game: LimitedGame }[] =>
  GAMES.flatMap(({ wire, reportLabel }) => {
    const game = games.find(({ name }) => name === wire.name);
    return game === undefined ? [] : [{ label: reportLabel, game }];
  });

export function GameLimitsPanel() {
  const { data, error, isLoading, mutate } = useSWR("admin-games", fetchLimitedGames, { refreshInterval: REFRESH_MS });
  const [chosen, setChosen] = useState<{ label: string; game: LimitedGame } | null>(null);
  function close(games?: LimitedGame[]) {
    setChosen(null);
    void mutate(games, { revalidate: games === undefined });
    if (chosen) focusRecord(`limits-${chosen.game.name}`);
  }
  return (
    <Panel
      title="Limits"
      actions={
        <Button size="small" aria-label="Refresh the limits" onClick={() => void mutate()}>
          Refresh
        </Button>
      }
    >
      <p className="max-w-[72ch] text-pretty pb-3 text-14 text-ink-2">
        Limits apply to rounds that start from now on. A bet that could exceed one is refused before its outcome is
        drawn.
      </p>
      {data === undefined && error === undefined && <Skeleton className="h-[320px]" />}
      {data === undefined && error !== undefined && (
        <ErrorState title="Failed to load the limits" onRetry={() => void mutate()} />
      )}
      {data !== undefined && (
        <ul aria-label="Limits" aria-busy={isLoading} className="grid">
          {labelled(data).map((entry) => (
            <Entry key={entry.game.name} {...entry} onChange={() => setChosen(entry)} />
          ))}
        </ul>
      )}
      {chosen && (
        <GameLimitsDialog
          {...chosen}
          onCancel={() => setChosen(null)}
          onDone={close}
          onConflict={() => close()}
          onUnsure={() => close()}
        />
      )}
    </Panel>
  );
}

function Entry({ label, game, onChange }: { label: string; game: LimitedGame; onChange(): void }) {
  return (
    <li
      data-record={`limits-${game.name}`}
      tabIndex={-1}
      className="grid grid-cols-[1fr_auto] items-center gap-x-6 gap-y-2 border-t border-line py-3 text-14 lg:grid-cols-[160px_1fr_auto]"
    >
      <span className="truncate font-semibold">{label}</span>
      <dl className="col-span-2 row-start-2 grid grid-cols-1 gap-x-6 gap-y-1 sm:grid-cols-3 lg:col-span-1 lg:row-start-auto">
        <Limit name="Largest stake" amount={game.maximumStake ?? game.rulesMaximumStake}>
          {game.maximumStake === null ? "by the rules" : `the rules allow ${formatWire(game.rulesMaximumStake)}`}
        </Limit>
        <Limit name="Most won by a round" amount={game.maximumProfit} />
        {game.exposure !== null && (
          <Limit name="Most won by all in play" amount={game.maximumExposure}>
            {`now up to ${formatWire(game.exposure)}`}
          </Limit>
        )}
      </dl>
      <IfPermitted permission="change_games">
        <Button size="small" aria-label={`Change the limits of ${label}`} onClick={onChange}>
          Change
        </Button>
      </IfPermitted>
    </li>
  );
}

type LimitProps = { name: string; amount: string | null; children?: string };

function Limit({ name, amount, children }: LimitProps) {
  return (
    <div className="flex min-w-0 flex-wrap items-baseline gap-x-2 sm:grid sm:content-start">
      <dt className="text-13 text-ink-3">{name}</dt>
      <dd className="tabular-nums">
        {amount === null ? "No limit" : formatWire(amount)}
        {children !== undefined && <span className="pl-2 text-13 text-ink-3 sm:pl-0 sm:block">{children}</span>}
      </dd>
    </div>
  );
}
