import { LinkButton, Panel, Table, TableCell, TableHead } from "@/components";
import { useGameStatuses } from "@/games/game-status";
import { houseEdge } from "./house-edge";

/** What each game costs on average. */
export function OddsPanel() {
  const { playable } = useGameStatuses();
  return (
    <Panel title="The odds">
      <div className="grid gap-4 text-14 text-ink-2">
        <p className="max-w-[76ch] text-pretty">
          The house edge is the share of all stakes that the house keeps on average. It follows from the rules, holds
          for every bet, and no system of betting changes it. The longer you play, the closer your own result comes to
          it. A single session can end far above or below.
        </p>
        <Table>
          <caption className="sr-only">House edge of each game</caption>
          <thead>
            <tr>
              <TableHead className="static">Game</TableHead>
              <TableHead className="static text-right">House edge</TableHead>
              <TableHead className="static text-right">Cost of $100 staked, on average</TableHead>
            </tr>
          </thead>
          <tbody>
            {playable.map(({ id, name, rtp: { percent, scope } }) => {
              const edge = houseEdge(percent);
              return (
                <tr key={id}>
                  <th scope="row" className="border-t border-line py-2.5 pr-3 text-left font-normal text-ink">
                    {name}
                    <span className="block text-13 text-ink-3">{scope}</span>
                  </th>
                  <TableCell className="text-right text-ink">{edge}%</TableCell>
                  <TableCell className="text-right text-ink">${edge}</TableCell>
                </tr>
              );
            })}
          </tbody>
        </Table>
        <LinkButton to="/transparency" className="justify-self-start">
          What the games have really returned
        </LinkButton>
      </div>
    </Panel>
  );
}
