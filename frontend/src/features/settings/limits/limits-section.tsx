import { ErrorState, Skeleton } from "@/components";
import { useOnVisible } from "@/lib/use-on-visible";
import { useExclusions, useLimitChanges, useLimits } from "./api";
import { ChangesPanel } from "./changes-panel";
import { ExclusionPanel } from "./exclusion-panel";
import { LimitsPanel } from "./limits-panel";
import { RealityCheckPanel } from "./reality-check-panel";

/** The player's own limits, breaks and reminders. */
export default function LimitsSection() {
  const { overview, hasFailed, reload, show } = useLimits();
  const changes = useLimitChanges();
  const exclusions = useExclusions();
  // Bets and deposits in other tabs use the limits as well.
  useOnVisible(() => void reload());
  if (overview === undefined)
    return hasFailed ? (
      <ErrorState title="Your limits could not be loaded" onRetry={() => void reload()} />
    ) : (
      <>
        <p role="status" className="sr-only">
          Loading
        </p>
        <Skeleton className="h-[420px]" />
        <Skeleton className="h-[220px]" />
      </>
    );
  return (
    <>
      <LimitsPanel
        limits={overview.limits}
        onReset={() => void reload()}
        onChanged={(next) => {
          show(next);
          void changes.reload();
        }}
      />
      <RealityCheckPanel minutes={overview.realityCheckMinutes} onChanged={show} />
      <ExclusionPanel
        current={overview.exclusion}
        earlier={exclusions.data ?? []}
        onExcluded={() => {
          void reload();
          void exclusions.mutate();
        }}
      />
      <ChangesPanel changes={changes} />
    </>
  );
}
