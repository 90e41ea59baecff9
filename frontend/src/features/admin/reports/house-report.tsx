// The house's results: over time, and game by game.

import useSWR from "swr";
import { errorMessage } from "@/api/client";
import { ErrorState, Panel } from "@/components";
import { ReturnPlot } from "@/components/return-plot";
import { type MeasuredReturn, measuredReturns } from "@/games/measured-returns";
import { centsOf, formatWire } from "@/lib/money";
import { fetchHouse } from "../api/admin";
import { Filter } from "../lists/list-bar";
import { signedDollars } from "../lists/wording";
import { ListSkeleton } from "../lists/record-list";
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
  const { data, error, mutate } = useSWR(["admin", "house", span.value], () => fetchHouse(Number(span.value)));
  const choice = <Filter label="Time span" value={span.value} onChoose={span.choose} options={SPANS} />;
  const failure = error === undefined ? undefined : errorMessage(error, "Please check your connection and try again.");
  const placeholder =
    failure === undefined ? (
      <ListSkeleton label="Loading the house's figures" />
    ) : (
      <ErrorState title="Error loading the house's figures" description={failure} onRetry={() => void mutate()} />
    );
  return (
    <>
      <Panel title="Profit and Loss over Time" actions={choice}>
        {data ? <ProfitPlot days={data.days} /> : placeholder}
      </Panel>
      {data && (
        <Panel title="Return to Players">
          <ReturnPlot games={measuredReturns(data.games)} note={amountsText} />
        </Panel>
      )}
    </>
  );
}
