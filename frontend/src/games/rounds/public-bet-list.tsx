import { useMemo } from "react";
import { Amount } from "@/components/amount";
import { centsOf, formatWire } from "@/lib/money";
import { type BetColumn, BetList } from "./bet-list";
import type { GameRounds } from "./game-rounds";
import { entryOf, type PublicBet } from "./public-bets";

type PublicBetListProps = { game: GameRounds; caption: string; bets: readonly PublicBet[] };

/** Bets of all players as a table. */
export function PublicBetList({ game, caption, bets }: PublicBetListProps) {
  const columns = useMemo(() => columnsOf(game), [game]);
  return (
    <BetList
      caption={caption}
      columns={columns}
      rows={bets}
      keyOf={({ id }) => id}
      tracks="max-sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto]"
      isFixed
    />
  );
}

function columnsOf({ columns: { result, bet, terms } }: GameRounds): BetColumn<PublicBet>[] {
  return [
    { name: "Player", place: "startTop", cell: ({ player }) => <Player name={player} /> },
    { name: "Bet ID", place: "startBottom", cell: ({ id }) => `#${id}` },
    { name: result.name, place: "middleTop", cell: (row) => result.cell(entryOf(row)) },
    { name: terms.name, isNumber: true, place: "middleBottom", cell: (row) => terms.cell(entryOf(row)) },
    { name: bet, isNumber: true, place: "endBottom", cell: ({ betAmount }) => formatWire(betAmount) },
    {
      name: "Multiplier",
      isNumber: true,
      place: "hidden",
      cell: ({ multiplier }) => (multiplier === null ? "–" : `${multiplier}×`),
    },
    {
      name: "Profit",
      isNumber: true,
      place: "endTop",
      cell: ({ profit }) => <Amount cents={centsOf(profit)} signed />,
    },
  ];
}

function Player({ name }: { name: string | null }) {
  if (name === null) return <em className="text-ink-3">Hidden</em>;
  return (
    <span title={name} className="block truncate">
      {name}
    </span>
  );
}
