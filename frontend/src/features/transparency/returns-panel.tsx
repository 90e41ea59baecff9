import { useState } from "react";
import { Button, Panel, Table, TableCell, TableHead } from "@/components";
import { ReturnPlot } from "@/components/return-plot";
import { useGameStatuses } from "@/games/game-status";
import { type MeasuredReturn, measuredReturns } from "@/games/measured-returns";
import { formatWire } from "@/lib/money";
import type { Overview } from "./api";

/** Exact and measured returns of all games that can be played or have been. */
export function ReturnsPanel({ games }: Pick<Overview, "games">) {
  const [isTableShown, setTableShown] = useState(false);
  const { statusOf } = useGameStatuses();
  const shown = measuredReturns(games).filter(
    ({ definition, rounds }) => rounds > 0 || (definition !== undefined && statusOf(definition) !== "announced"),
  );
  return (
    <Panel
      title="Return to players"
      actions={
        <Button size="small" aria-expanded={isTableShown} onClick={() => setTableShown(!isTableShown)}>
          {isTableShown ? "Hide the figures" : "Show the figures"}
        </Button>
      }
    >
      <p className="mb-4 max-w-[68ch] text-14 text-ink-2">
        The exact RTP (return to player) follows from the rules. The measured one is what all rounds so far have paid,
        divided by what was staked on them.
      </p>
      <ReturnPlot games={shown} />
      {isTableShown && <Figures games={shown} />}
    </Panel>
  );
}

const percent = (value: string | null): string => (value === null ? "–" : `${value}%`);
const interval = ({ lowPercent, highPercent }: MeasuredReturn): string =>
  lowPercent === null || highPercent === null ? "–" : `${lowPercent}% to ${highPercent}%`;

const COLUMNS: readonly { name: string; cell(game: MeasuredReturn): string }[] = [
  { name: "Rounds", cell: ({ rounds }) => rounds.toLocaleString("en-US") },
  { name: "Exact RTP", cell: ({ exactRtpPercent }) => percent(exactRtpPercent) },
  { name: "Measured RTP", cell: ({ measuredRtpPercent }) => percent(measuredRtpPercent) },
  { name: "95% interval", cell: interval },
  { name: "Staked", cell: ({ staked }) => formatWire(staked) },
  { name: "Paid", cell: ({ paid }) => formatWire(paid) },
];

function Figures({ games }: { games: readonly MeasuredReturn[] }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable region must be reachable by keyboard
    <div className="mt-5 overflow-x-auto" tabIndex={0} role="region" aria-label="Figures of all games">
      <Table className="whitespace-nowrap">
        <caption className="sr-only">Exact and measured return of each game</caption>
        <thead>
          <tr>
            <TableHead>Game</TableHead>
            {COLUMNS.map(({ name }) => (
              <TableHead key={name} className="text-right">
                {name}
              </TableHead>
            ))}
          </tr>
        </thead>
        <tbody>
          {games.map((game) => (
            <tr key={game.game}>
              <TableCell>{game.label}</TableCell>
              {COLUMNS.map(({ name, cell }) => (
                <TableCell key={name} className="text-right">
                  {cell(game)}
                </TableCell>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
    </div>
  );
}
