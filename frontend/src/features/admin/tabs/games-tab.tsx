// The games' statuses, and all settled rounds of all players.

import { Badge, EmptyState, Panel } from "@/components";
import { useGameStatuses } from "@/games/game-status";
import { gameTypeLabel, gameTypesOf } from "@/games/registry";
import { isWin } from "@/games/rounds/game-rounds";
import { formatWire } from "@/lib/money";
import type { AdminGame } from "../api/admin";
import { useAdminList } from "../api/admin-pages";
import { userIdOf } from "../decisions/rules";
import { DateTime, ExactTime, RoundLink, UserLink } from "../lists/cells";
import { ClearFilters, Filter, ListBar, SearchBox, UpdatedAt } from "../lists/list-bar";
import { AmountRange, DateRange, useAmountRange, useDateRange } from "../lists/ranges";
import { RecordList } from "../lists/record-list";
import { type Column, type Detail, RecordTable } from "../lists/record-table";
import { useChoice, useSearch } from "../lists/url-state";

const ALL = "all";

const COLUMNS: Column<AdminGame>[] = [
  { name: "ID", cell: (game) => game.id },
  {
    name: "User ID",
    card: "title",
    className: "max-w-[220px] truncate",
    cell: (game) => <UserLink id={game.userId} username={game.username} />,
  },
  { name: "Game", cell: (game) => <RoundLink id={game.id}>{gameTypeLabel(game.gameType)}</RoundLink> },
  { name: "Bet", isNumber: true, cell: (game) => formatWire(game.betAmount) },
  {
    name: "Outcome",
    card: "state",
    cell: (game) => (
      <Badge tone={isWin(game) ? "win" : "neutral"} className="max-w-[200px]">
        <span className="truncate" title={game.outcome}>
          {game.outcome}
        </span>
      </Badge>
    ),
  },
  { name: "Win Amount", isNumber: true, card: "value", cell: (game) => formatWire(game.winAmount) },
  {
    name: "Date",
    card: "note",
    cell: (game) => (
      <>
        {/* On a card this line says what was played as well. */}
        <span className="text-ink-2 @min-[1000px]:hidden">
          {gameTypeLabel(game.gameType)}, {formatWire(game.betAmount)},{" "}
        </span>
        <DateTime iso={game.createdAt} />
      </>
    ),
  },
];

const detailsOf = (game: AdminGame): Detail[] => [
  ["Game", gameTypeLabel(game.gameType)],
  ["Bet", formatWire(game.betAmount)],
  ["Win amount", formatWire(game.winAmount)],
  ["Outcome", game.outcome],
  ["Date", <ExactTime key="date" iso={game.createdAt} />],
  ["Replay", <RoundLink key="replay" id={game.id}>{`Round ${game.id}`}</RoundLink>],
];

export default function GamesTab() {
  const { playable } = useGameStatuses();
  const gameOptions = [{ value: ALL, label: "All Games" }, ...gameTypesOf(playable)];
  const game = useChoice("gameType", gameOptions);
  const user = useSearch("userId");
  const userId = userIdOf(user.value);
  const round = useSearch("id");
  const roundId = userIdOf(round.value);
  const dates = useDateRange();
  const amounts = useAmountRange();
  // Of all rounds ever played, no index finds those with an amount.
  const isNarrow = userId !== null || roundId !== null || dates.query.from !== undefined;
  const games = useAdminList("game-history", {
    gameType: game.value === ALL ? undefined : game.value,
    userId: userId === null ? undefined : String(userId),
    id: roundId === null ? undefined : String(roundId),
    ...dates.query,
    ...(isNarrow ? amounts.query : {}),
  });
  const inUse = dates.inUse + (isNarrow ? amounts.inUse : 0);
  const isUnclear = [user, round].some(({ text }) => text.trim() !== "" && userIdOf(text) === null);
  return (
    <Panel title="Game History" actions={<UpdatedAt atMs={games.loadedAtMs} />}>
      <ListBar
        noun="games"
        list={games.list}
        query={games.query}
        isLoading={games.isLoading}
        onRefresh={() => void games.reload()}
        savedAs="game-history"
        more={{
          inUse,
          filters: (
            <>
              <DateRange label="Date" range={dates} />
              <AmountRange range={amounts} hint={isNarrow ? undefined : "Needs a first day or a user"} />
            </>
          ),
        }}
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
            action={(userId !== null || roundId !== null || game.value !== ALL || inUse > 0) && <ClearFilters />}
          />
        }
      >
        {(rows) => (
          <RecordTable
            label="Game history"
            columns={COLUMNS}
            rows={rows}
            keyOf={(row) => row.id}
            nameOf={(row) => `round ${row.id}`}
            detailsOf={detailsOf}
          />
        )}
      </RecordList>
    </Panel>
  );
}
