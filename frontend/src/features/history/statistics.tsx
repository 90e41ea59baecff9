import { Amount, Panel, Stat } from "@/components";
import { gameOfType, gameTypeLabel } from "@/games/registry";
import { formatDateTime, formatPercent } from "@/lib/format";
import { centsOf, formatDollars } from "@/lib/money";
import type { GameStatistics, PlayerStatistics } from "./api";

const WIDE = "col-span-2 border-t border-line pt-4";

/** Wins per loss, with two decimals. */
export function winLossRatio({ wins, losses }: { wins: number; losses: number }): string {
  if (losses === 0) return wins === 0 ? "0.00" : "∞";
  return (wins / losses).toFixed(2);
}

/** The game with the most entries. */
export function mostPlayed(games: readonly GameStatistics[]): GameStatistics | null {
  return games.reduce<GameStatistics | null>(
    (best, game) => (best && best.gamesPlayed >= game.gamesPlayed ? best : game),
    null,
  );
}

/** Totals over all rounds, from the database. */
export function SummaryCards({ statistics }: { statistics: PlayerStatistics }) {
  const favourite = mostPlayed(statistics.games);
  const { biggestWin } = statistics;
  return (
    <Panel title="Summary">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-5 md:grid-cols-4">
        <Stat label="Total Games" value={statistics.totalGames.toLocaleString("en-US")} />
        <Stat label="Total Wagered" value={formatDollars(centsOf(statistics.totalWagered))} />
        <Stat label="Total Won" value={formatDollars(centsOf(statistics.totalWon))} />
        <Stat
          label="Win/Loss Ratio"
          value={winLossRatio(statistics)}
          hint={`${statistics.wins} won, ${statistics.losses} lost`}
        />
        <Stat
          className={WIDE}
          label="Most Played Game"
          value={favourite ? gameTypeLabel(favourite.gameType) : "–"}
          hint={favourite && `${formatPercent(favourite.gamesPlayed / statistics.totalGames)} of your games`}
        />
        {biggestWin ? (
          <Stat
            className={WIDE}
            label="Biggest Win"
            value={formatDollars(centsOf(biggestWin.winAmount))}
            hint={`${gameTypeLabel(biggestWin.gameType)}, ${formatDateTime(biggestWin.createdAt)}, on a bet of ${formatDollars(centsOf(biggestWin.betAmount))}`}
          />
        ) : (
          <Stat className={WIDE} label="Biggest Win" value="No wins yet" />
        )}
      </dl>
    </Panel>
  );
}

const multiplied = (value: number | null | undefined): string =>
  value === null || value === undefined ? "–" : `${value.toFixed(2)}×`;

/**
 * One card per game with entries, except games with uninformative statistics; for games with a cash-out, it has the
 * best one.
 */
export function GameCards({ games }: { games: readonly GameStatistics[] }) {
  return games.map((game) => {
    const card = gameOfType(game.gameType)?.statistics;
    return card && <GameCard key={game.gameType} game={game} best={card.best} />;
  });
}

function GameCard({ game, best }: { game: GameStatistics; best: string | undefined }) {
  return (
    <Panel title={`${gameTypeLabel(game.gameType)} statistics`}>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-5 md:grid-cols-5">
        <Stat label="Games Played" value={game.gamesPlayed.toLocaleString("en-US")} />
        <Stat label="Win Rate" value={formatPercent(game.wins / game.gamesPlayed)} />
        {best === undefined ? (
          <>
            <Stat label="Total Wagered" value={formatDollars(centsOf(game.totalWagered))} />
            <Stat label="Total Won" value={formatDollars(centsOf(game.totalWon))} />
          </>
        ) : (
          <>
            <Stat label="Avg. Multiplier" value={multiplied(game.averageMultiplier)} />
            <Stat label={best} value={multiplied(game.bestMultiplier)} />
          </>
        )}
        <Stat label="Profit/Loss" value={<Amount cents={centsOf(game.profit)} signed />} />
      </dl>
    </Panel>
  );
}
