// The figures day by day, of the whole house or of one game.

import type { ReactNode } from "react";
import { Amount, EmptyState, Panel } from "@/components";
import { counted } from "@/lib/format";
import { centsOf, formatWire } from "@/lib/money";
import { Filter } from "../lists/list-bar";
import { type Column, RecordTable } from "../lists/record-list";
import type { Detail } from "../lists/record-table";
import { useChoice } from "../lists/url-state";
import { signedDollars } from "../lists/wording";
import type { DayFigures, Figures } from "./api";

type Labels = ReadonlyMap<string, string>;
type GameOfDay = { day: string; played: DayFigures["games"][number] };

/** What the house has won, in colour. */
const won = (wire: string) => <Amount cents={centsOf(wire)} signed />;

/** A name that only a card needs: there the column has no heading. */
const onCard = (name: string, value: ReactNode) => (
  <>
    <span className="text-ink-3 @min-[1000px]:hidden">{name} </span>
    {value}
  </>
);

const COLUMNS: Column<DayFigures>[] = [
  { name: "Day (UTC)", cell: ({ day }) => day },
  { name: "Deposits", isNumber: true, cell: ({ deposited }) => formatWire(deposited) },
  { name: "Withdrawals", isNumber: true, cell: ({ withdrawn }) => formatWire(withdrawn) },
  {
    name: "Net deposits",
    isNumber: true,
    card: "note",
    cell: ({ netDeposits }) => onCard("Net deposits", signedDollars(centsOf(netDeposits))),
  },
  { name: "Staked", isNumber: true, cell: ({ staked }) => formatWire(staked) },
  { name: "Paid", isNumber: true, cell: ({ paid }) => formatWire(paid) },
  { name: "GGR", isNumber: true, card: "title", cell: ({ ggr }) => onCard("GGR", won(ggr)) },
  { name: "Adjustments", isNumber: true, cell: ({ adjusted }) => signedDollars(centsOf(adjusted)) },
  { name: "NGR", isNumber: true, card: "value", cell: ({ ngr }) => onCard("NGR", won(ngr)) },
  {
    name: "Liabilities",
    isNumber: true,
    card: "state",
    className: "@max-[1000px]:text-13",
    cell: ({ liabilities }) => onCard("Owed", formatWire(liabilities)),
  },
];

const GAME_COLUMNS: Column<GameOfDay>[] = [
  { name: "Day (UTC)", cell: ({ day }) => day },
  { name: "Rounds", isNumber: true, cell: ({ played }) => played.rounds.toLocaleString("en-US") },
  { name: "Staked", isNumber: true, cell: ({ played }) => formatWire(played.staked) },
  { name: "Paid", isNumber: true, cell: ({ played }) => formatWire(played.paid) },
  { name: "GGR", isNumber: true, cell: ({ played }) => won(played.ggr) },
];

function detailsOf(day: DayFigures, labels: Labels): Detail[] {
  return [
    ["Deposits", formatWire(day.deposited)],
    ["Withdrawals that arrived", `${formatWire(day.withdrawn)}, of which ${formatWire(day.withdrawalFees)} are fees`],
    ["Adjustments", signedDollars(centsOf(day.adjusted))],
    ["Liabilities at the end", formatWire(day.liabilities)],
    ...day.games.map(({ game, ggr, staked, paid, rounds }): Detail => [
      `GGR of ${labels.get(game) ?? game}`,
      `${signedDollars(centsOf(ggr))}: ${formatWire(staked)} staked, ${formatWire(paid)} paid in ${counted(rounds, "round")}`,
    ]),
  ];
}

/** Whether anything moved on a day. */
const isEventful = ({ deposited, withdrawn, adjusted, rounds }: DayFigures): boolean =>
  rounds > 0 || [deposited, withdrawn, adjusted].some((amount) => centsOf(amount) !== 0);

export function DaysPanel({ figures, labels }: { figures: Figures; labels: Labels }) {
  const options = [{ value: "", label: "All games" }, ...[...labels].map(([value, label]) => ({ value, label }))];
  const game = useChoice("game", options);
  const label = labels.get(game.value);
  return (
    <Panel
      title={label === undefined ? "By Day" : `${label} by Day`}
      actions={<Filter label="Game" value={game.value} onChoose={game.choose} options={options} />}
    >
      {label === undefined ? (
        <HouseDays figures={figures} labels={labels} />
      ) : (
        <GameDays figures={figures} game={game.value} label={label} />
      )}
    </Panel>
  );
}

function HouseDays({ figures, labels }: { figures: Figures; labels: Labels }) {
  const rows = figures.days.filter(isEventful).toReversed();
  if (rows.length === 0) return <EmptyState title="Nothing moved in these days" />;
  return (
    <>
      <RecordTable
        label="Figures by day"
        rows={rows}
        keyOf={({ day }) => day}
        columns={COLUMNS}
        detailsOf={(day) => detailsOf(day, labels)}
      />
      <Omitted count={figures.days.length - rows.length} why="on which nothing moved" />
    </>
  );
}

function GameDays({ figures, game, label }: { figures: Figures; game: string; label: string }) {
  const rows = figures.days
    .flatMap(({ day, games }) => games.filter((played) => played.game === game).map((played) => ({ day, played })))
    .toReversed();
  if (rows.length === 0) return <EmptyState title={`No rounds of ${label} in these days`} />;
  return (
    <>
      <RecordTable label={`Figures of ${label} by day`} rows={rows} keyOf={({ day }) => day} columns={GAME_COLUMNS} />
      <Omitted count={figures.days.length - rows.length} why="without rounds" />
    </>
  );
}

function Omitted({ count, why }: { count: number; why: string }) {
  if (count === 0) return null;
  return (
    <p className="mt-3 text-13 text-ink-3">
      {counted(count, "day")} {why} {count === 1 ? "is" : "are"} left out.
    </p>
  );
}
