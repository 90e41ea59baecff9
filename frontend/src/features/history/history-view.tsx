import { useEffect, useState } from "react";
import { useQuery } from "@/api/hooks";
import { Button, EmptyState, ErrorState, Input, LinkButton, Panel, Select, Skeleton } from "@/components";
import { useGameStatuses } from "@/games/game-status";
import { describeRound, gameTypesOf, STARTER_GAME } from "@/games/registry";
import type { GameType } from "@/games/rounds/api";
import { HistoryList } from "@/games/rounds/history-list";
import { type HistoryFilter, useHistoryPages } from "@/games/rounds/history-pages";
import type { PlayerStatistics } from "./api";
import { GameCards, SummaryCards } from "./statistics";

const ALL = "all";
/** Search starts after typing has paused for this long. */
const SEARCH_DELAY_MS = 300;

function useDelayed(value: string): string {
  const [delayed, setDelayed] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(value), SEARCH_DELAY_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return delayed;
}

/** The whole history: totals, search, and every entry. */
export function HistoryView({ onVerifyRound }: { onVerifyRound(id: number): void }) {
  const [search, setSearch] = useState("");
  const [game, setGame] = useState(ALL);
  const { playable } = useGameStatuses();
  const gameOptions = [{ value: ALL, label: "All games" }, ...gameTypesOf(playable)];
  const delayedSearch = useDelayed(search.trim());
  const filter: HistoryFilter = {
    gameType: game === ALL ? undefined : (game as GameType),
    search: delayedSearch === "" ? undefined : delayedSearch,
  };
  const history = useHistoryPages(filter);
  const statistics = useQuery("/api/statistics");
  const failure = history.error ?? statistics.error;
  if (failure !== undefined) {
    return <ErrorState title="Error loading game history" onRetry={() => window.location.reload()} />;
  }
  const clear = () => {
    setSearch("");
    setGame(ALL);
  };
  return (
    <div className="grid gap-4">
      {statistics.data ? <SummaryCards statistics={statistics.data} /> : <Skeleton className="h-[200px]" />}
      <Panel>
        <div className="mb-4 flex flex-wrap gap-3">
          <Input
            type="search"
            aria-label="Search game history"
            placeholder="Search game history..."
            maxLength={100}
            value={search}
            onChange={(event) => setSearch(event.target.value)}
            className="min-w-[200px] flex-1"
          />
          <Select
            label="Game type"
            value={game}
            onValueChange={setGame}
            options={gameOptions}
            className="min-w-[150px] max-sm:flex-1"
          />
        </div>
        <Records
          filter={filter}
          history={history}
          statistics={statistics.data}
          onClear={clear}
          onVerifyRound={onVerifyRound}
        />
      </Panel>
      {statistics.data && <GameCards games={statistics.data.games} />}
    </div>
  );
}

type RecordsProps = {
  filter: HistoryFilter;
  history: ReturnType<typeof useHistoryPages>;
  statistics: PlayerStatistics | undefined;
  onClear(): void;
  onVerifyRound(id: number): void;
};

function Records({ filter, history, statistics, onClear, onVerifyRound }: RecordsProps) {
  const isFiltered = filter.gameType !== undefined || filter.search !== undefined;
  if (history.isLoadingFirst) return <Skeleton className="h-[240px]" />;
  if (history.entries.length === 0 && !history.hasMore) {
    return isFiltered ? (
      <EmptyState
        title="No games found matching your filters"
        action={<Button onClick={onClear}>Clear Filters</Button>}
      />
    ) : (
      <EmptyState
        title="You haven't played any games yet"
        action={
          <LinkButton to={STARTER_GAME.path} variant="primary">
            Play {STARTER_GAME.name.toLowerCase()}
          </LinkButton>
        }
      />
    );
  }
  const caption = `Showing ${history.entries.length} of ${totalOf(statistics, filter.gameType)} game records`;
  return (
    <HistoryList
      history={history}
      describe={describeRound}
      onVerifyRound={onVerifyRound}
      caption={caption}
      moreLabel={filter.search ? "Search further back" : "Load more"}
    />
  );
}

function totalOf(statistics: PlayerStatistics | undefined, gameType: GameType | undefined): string {
  if (!statistics) return "…";
  if (gameType === undefined) return statistics.totalGames.toLocaleString("en-US");
  const game = statistics.games.find((entry) => entry.gameType === gameType);
  return (game?.gamesPlayed ?? 0).toLocaleString("en-US");
}
