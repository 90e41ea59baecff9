// The house's results: over time, and game by game.

import useSWR from "swr";
import { Panel } from "@/components";
import { ReturnPlot } from "@/components/return-plot";
import { type MeasuredReturn, measuredReturns } from "@/games/measured-returns";
import { centsOf, formatWire } from "@/lib/money";
import { fetchHouse } from "../api/admin";
import { Filter } from "../lists/list-bar";
import { Loaded } from "../lists/loaded";
import { signedDollars } from "../lists/wording";
import { useChoice } from "../lists/url-state";
import { ProfitPlot } from "./profit-plot";

const SPANS = [
  { value: "30", label: "Last 30 days" },
  { value: "7", label: "Last 7 days" },
  { value: "90", label: "Last 90 days" },
  { value: "366", label: "Last 366 days" },
] as const;

const amountsText = ({ staked, paid, profit }: MeasuredReturn): string =>
  `Staked ${formatWire(staked)}, paid ${formatWire(paid)}: ${signedDollars(centsOf(profit))}`;

export function HouseReport() {
  const span = useChoice("days", SPANS);
  const report = useSWR(["admin", "house", span.value], () => fetchHouse(Number(span.value)));
  const choice = <Filter label="Time span" value={span.value} onChoose={span.choose} options={SPANS} />;
  return (
    <>
      <Panel title="Profit and Loss over Time" actions={choice}>
        <Loaded state={report} what="the house's figures">
          {(data) => <ProfitPlot days={data.days} />}
        </Loaded>
      </Panel>
      {report.data && (
        <Panel title="Return to Players">
          <ReturnPlot games={measuredReturns(report.data.games)} note={amountsText} />
        </Panel>
      )}
    </>
  );
}
