// The games' statuses, and all settled rounds of all players.

import { Badge, EmptyState, Panel } from "@/components";
import { useGameStatuses } from "@/games/game-status";
import { gameTypeLabel, gameTypesOf } from "@/games/registry";
import { isWin } from "@/games/rounds/game-rounds";
import { centsOf, formatDollars } from "@/lib/money";
import type { AdminGame } from "../api/admin";
import { useAdminList } from "../api/admin-pages";
import { userIdOf } from "../decisions/rules";
import { UserLink, DateTime } from "../lists/cells";
import { ClearFilters, Filter, ListBar, SearchBox } from "../lists/list-bar";
import { type Column, RecordList, RecordTable } from "../lists/record-list";
import { useChoice, useSearch } from "../lists/url-state";

const ALL = "all";

const COLUMNS: Column<AdminGame>[] = [
  { name: "ID", cell: (game) => game.id },
  { name: "User ID", cell: (game) => <UserLink id={game.userId} username={game.username} /> },
  { name: "Game", cell: (game) => gameTypeLabel(game.gameType) },
  { name: "Bet", isNumber: true, cell: (game) => formatDollars(centsOf(game.betAmount)) },
  { name: "Outcome", cell: (game) => <Badge tone={isWin(game) ? "win" : "neutral"}>{game.outcome}</Badge> },
  { name: "Win Amount", isNumber: true, cell: (game) => formatDollars(centsOf(game.winAmount)) },
  { name: "Date", isWide: true, cell: (game) => <DateTime iso={game.createdAt} /> },
];

export default function GamesTab() {
  const { playable } = useGameStatuses();
  const gameOptions = [{ value: ALL, label: "All Games" }, ...gameTypesOf(playable)];
  const game = useChoice("gameType", gameOptions);
  const user = useSearch("userId");
  const userId = userIdOf(user.value);
  const round = useSearch("id");
  const roundId = userIdOf(round.value);
  const games = useAdminList("game-history", {
    gameType: game.value === ALL ? undefined : game.value,
    userId: userId === null ? undefined : String(userId),
    id: roundId === null ? undefined : String(roundId),
  });
  const isUnclear = [user, round].some(({ text }) => text.trim() !== "" && userIdOf(text) === null);
  return (
    <Panel title="Game History">
      <ListBar
        noun="games"
        list={games.list}
        query={games.query}
        isLoading={games.isLoading}
        onRefresh={() => void games.reload()}
      >
        <Filter label="Game" value={game.value} onChoose={game.choose} options={gameOptions} />
        <SearchBox label="User ID" search={user} isNumber />
        <SearchBox label="Round ID" search={round} isNumber />
      </ListBar>
      {isUnclear && (
        <p role="status" className="mb-4 text-13 text-ink-2">
          An ID is a whole number; what is none narrows nothing.
        </p>
      )}
      <RecordList
        pages={games}
        noun="games"
        empty={
          <EmptyState
            title="No game history found"
            action={(userId !== null || roundId !== null || game.value !== ALL) && <ClearFilters />}
          />
        }
      >
        {(rows) => <RecordTable label="Game history" columns={COLUMNS} rows={rows} keyOf={(row) => row.id} />}
      </RecordList>
    </Panel>
  );
}
