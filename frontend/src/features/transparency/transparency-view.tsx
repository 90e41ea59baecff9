import { useEffect } from "react";
import { useLocation } from "@/lib/address";
import { errorMessage } from "@/api/client";
import { Button, ErrorState, Panel, Skeleton, Stat } from "@/components";
import type { TrustStore } from "@/lib/trust/store";
import { useOverview } from "./api";
import { AuditPanel, LimitsPanel } from "./audit-panel";
import { KeysPanel, LogPanel } from "./log-panel";
import { LatestRounds } from "./latest-rounds";
import { ReturnsPanel } from "./returns-panel";
import { useLogCheck, visitorStore } from "./use-log-check";

/** Two columns on a desktop. */
const COLUMNS = "grid grid-cols-[minmax(0,1fr)] gap-4 lg:gap-5";

/** A link to a section of this page leads to it as soon as the page is there. */
function useSectionInAddress(isShown: boolean): void {
  const { hash } = useLocation();
  useEffect(() => {
    if (isShown && hash !== "") document.getElementById(hash.slice(1))?.scrollIntoView();
  }, [isShown, hash]);
}

/** What the games have returned, and the public log, verified by the browser that shows it. */
export function TransparencyView({ store = visitorStore }: { store?: TrustStore }) {
  const { data: overview, error, isValidating, mutate } = useOverview();
  const check = useLogCheck(overview, store);
  useSectionInAddress(overview !== undefined);
  if (overview === undefined && error !== undefined)
    return (
      <ErrorState
        title="The public record could not be loaded"
        description={errorMessage(error, "Please try again.")}
        onRetry={() => void mutate()}
      />
    );
  if (overview === undefined) return <Placeholder />;
  const rounds = overview.games.reduce((sum, game) => sum + game.rounds, 0);
  const isChecking = isValidating || check.isValidating;
  const checkAgain = () => void mutate().then(() => check.mutate());
  return (
    <>
      <Panel>
        <dl className="grid grid-cols-2 gap-x-10 gap-y-4 sm:flex">
          <Stat label="Rounds played" value={rounds.toLocaleString("en-US")} />
          <Stat label="Entries in the public log" value={overview.size.toLocaleString("en-US")} />
          {overview.origin !== null && (
            <Stat label="Name of the log" value={overview.origin} className="max-sm:col-span-full" />
          )}
        </dl>
      </Panel>
      <div className={`${COLUMNS} lg:grid-cols-[7fr_5fr]`}>
        <ReturnsPanel games={overview.games} />
        <div className={`${COLUMNS} grid-rows-[auto_1fr]`}>
          <LogPanel overview={overview} check={check} store={store} />
          <KeysPanel keys={overview.verifierKeys} />
        </div>
      </div>
      <LatestRounds
        check={check}
        actions={
          <Button size="small" loading={isChecking} onClick={checkAgain}>
            Check again
          </Button>
        }
      />
      <div className={`${COLUMNS} lg:grid-cols-2`}>
        <AuditPanel />
        <LimitsPanel />
      </div>
    </>
  );
}

function Placeholder() {
  return (
    <>
      <p role="status" className="sr-only">
        Loading
      </p>
      <Skeleton className="h-[92px]" />
      <div className={`${COLUMNS} lg:grid-cols-[7fr_5fr]`}>
        <Skeleton className="h-[620px]" />
        <Skeleton className="h-[620px]" />
      </div>
    </>
  );
}
