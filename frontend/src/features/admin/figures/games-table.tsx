// The figures game by game.

import { Amount, Panel } from "@/components";
import { exactText, pValueText, verdictText } from "@/components/return-plot/returns";
import type { MeasuredReturn } from "@/games/measured-returns";
import { centsOf, formatWire } from "@/lib/money";
import { type Column, RecordTable } from "../lists/record-list";

const percent = (value: string | null): string => (value === null ? "–" : `${value}%`);

const COLUMNS: Column<MeasuredReturn>[] = [
  { name: "Game", cell: ({ label }) => <span className="font-medium">{label}</span> },
  { name: "Rounds", isNumber: true, cell: ({ rounds }) => rounds.toLocaleString("en-US") },
  { name: "Staked", isNumber: true, cell: ({ staked }) => formatWire(staked) },
  { name: "Paid", isNumber: true, cell: ({ paid }) => formatWire(paid) },
  { name: "GGR", isNumber: true, cell: ({ profit }) => <Amount cents={centsOf(profit)} signed /> },
  { name: "RTP", isNumber: true, cell: ({ measuredRtpPercent }) => percent(measuredRtpPercent) },
  { name: "Exact RTP", isNumber: true, cell: (game) => exactText({ ...game, scope: "" }) },
  {
    name: "p-value",
    isNumber: true,
    cell: (game) =>
      game.pValue === null ? "Too few rounds" : <span title={verdictText(game)}>{pValueText(game.pValue)}</span>,
  },
];

export function GamesPanel({ games }: { games: readonly MeasuredReturn[] }) {
  const played = games.filter(({ rounds }) => rounds > 0);
  const others = games.filter(({ rounds }) => rounds === 0).map(({ label }) => label);
  return (
    <Panel title="By Game">
      {played.length > 0 && (
        <RecordTable label="Figures by game" rows={played} keyOf={({ game }) => game} columns={COLUMNS} />
      )}
      {others.length > 0 && <p className="mt-3 text-14 text-ink-2">Not played in these days: {others.join(", ")}.</p>}
      <p className="mt-3 text-13 text-ink-3">
        Adjustments belong to no game, so the NGR is only known by day. A small p-value says that chance hardly explains
        the RTP.
      </p>
    </Panel>
  );
}
