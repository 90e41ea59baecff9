// The house's figures: what it owes, what came in and went out, and what it has won.

import useSWR from "swr";
import { Panel } from "@/components";
import { measuredReturns } from "@/games/measured-returns";
import { centsOf } from "@/lib/money";
import { ListBar, UpdatedAt } from "../lists/list-bar";
import { Loaded } from "../lists/loaded";
import { useIsPresent } from "../live/presence";
import { daysQueryText, fetchFigures, fetchProviderBalance, type Figures } from "./api";
import { DaysPanel } from "./days-table";
import { GamesPanel } from "./games-table";
import { CustomDays, SpanFilter, usePeriod } from "./period";
import { Liabilities, ProviderPanel, Totals } from "./tiles";

/** How often the figures are read again while somebody looks at them. The provider is asked no more often either. */
const REFRESH_MS = 60_000;

export default function FiguresTab() {
  const period = usePeriod();
  const isPresent = useIsPresent();
  const options = { refreshInterval: isPresent ? REFRESH_MS : 0, refreshWhenHidden: false };
  const { query } = period;
  const text = query === null ? "" : daysQueryText(query);
  const figures = useSWR(query && ["admin", "figures", text], async () => fetchFigures(query ?? { days: 1 }), options);
  const provider = useSWR(["admin", "provider-balance"], fetchProviderBalance, options);
  const refresh = () => void Promise.all([figures.mutate(), provider.mutate()]);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div>
        <ListBar
          noun="the figures"
          {...(query === null ? {} : { list: "figures", query: text })}
          isLoading={figures.isValidating || provider.isValidating}
          onRefresh={refresh}
        >
          <SpanFilter period={period} />
          <UpdatedAt atMs={figures.data === undefined ? null : Date.parse(figures.data.generatedAt)} />
        </ListBar>
        <CustomDays period={period} />
      </div>
      {query !== null && (
        <Loaded state={figures} what="the figures">
          {(data) => <Shown figures={data} provider={provider} />}
        </Loaded>
      )}
      {query === null && <Panel>The figures are shown once the days are chosen.</Panel>}
    </div>
  );
}

type ShownProps = { figures: Figures; provider: Parameters<typeof ProviderPanel>[0]["state"] };

function Shown({ figures, provider }: ShownProps) {
  const games = measuredReturns(figures.games);
  const labels = new Map<string, string>(games.map(({ game, label }) => [game, label]));
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-2 lg:items-start">
        <Liabilities liabilities={figures.liabilities} />
        <ProviderPanel state={provider} owedCents={centsOf(figures.liabilities.total)} />
      </div>
      <Totals figures={figures} />
      <DaysPanel figures={figures} labels={labels} />
      <GamesPanel games={games} />
    </>
  );
}
