import { ErrorState, HashLine, Panel, Skeleton, Verdict } from "@/components";
import { counted } from "@/lib/format";
import type { TrustStore } from "@/lib/trust/store";
import type { Overview } from "./api";
import type { LogCheck } from "./check-log";
import { Failures } from "./failures";
import type { useLogCheck } from "./use-log-check";
import { Witnesses } from "./witnesses";

type Check = ReturnType<typeof useLogCheck>;

type LogPanelProps = { overview: Overview; check: Check; store: TrustStore };

/** The latest checkpoint of the public log, and what this browser has verified of it. */
export function LogPanel({ overview, check: { data, error, mutate }, store }: LogPanelProps) {
  return (
    <Panel title="The public log">
      <div className="grid gap-4">
        <p className="text-14 text-ink-2">
          Every settled round is an entry of a log that can only grow. The house signs its size and a hash over all
          entries, the root; such a signed statement is a checkpoint.
        </p>
        {data ? (
          <Result log={data.log} size={overview.size} />
        ) : error === undefined ? (
          <Checking />
        ) : (
          <ErrorState
            title="The public log could not be checked"
            description="Its files could not be loaded, so nothing on this page is verified."
            onRetry={() => void mutate()}
          />
        )}
        {data && data.failures.length > 0 && <Failures failures={data.failures} store={store} />}
        {overview.checkpoint !== "" && (
          <details>
            <summary className="target flex cursor-pointer items-center text-14 text-ink-2 underline underline-offset-4 hover:text-ink">
              The signed checkpoint
            </summary>
            <pre className="mt-1 rounded-control bg-well p-3 font-mono text-12 break-all whitespace-pre-wrap text-ink-2">
              {overview.checkpoint}
            </pre>
          </details>
        )}
      </div>
    </Panel>
  );
}

function Checking() {
  return (
    <div className="grid gap-3">
      <p role="status" className="text-14 text-ink-2">
        Your browser is verifying the latest checkpoint …
      </p>
      <Skeleton className="h-[72px]" />
    </div>
  );
}

function Result({ log, size }: { log: LogCheck | null | undefined; size: number }) {
  if (log === null) return <p className="text-14">The log has not begun yet.</p>;
  if (log === undefined)
    return (
      <p role="note" className="text-14 text-notice">
        This browser provides its cryptography only on https pages, so the log is not verified.
      </p>
    );
  const { signed, sizeBefore, isFirstVisit, witnesses, failures } = log;
  return (
    <>
      <div className="grid gap-2">
        <Verdict
          holds={signed !== null}
          good="The signature of the latest checkpoint is valid."
          bad="The latest checkpoint is not what the house signed."
        />
        {signed !== null && sizeBefore !== null && (
          <Verdict
            holds
            good={`It continues the log of ${counted(sizeBefore, "entry", "entries")} that you saw before.`}
            bad=""
          />
        )}
        {signed !== null && failures.length === 0 && (
          <Verdict holds good="The latest entries are in the log that was signed." bad="" />
        )}
      </div>
      {signed !== null && (
        <>
          <HashLine label={`Root of ${counted(size, "entry", "entries")}`} value={signed.root} />
          <p className="text-13 text-ink-2">
            Verified in your browser with the key{" "}
            {signed.signers.map((key) => (
              <code key={key} className="break-all">
                {key.split("+")[1]}
              </code>
            ))}{" "}
            {isFirstVisit
              ? "below, which it sees for the first time. From now on it notices another key."
              : "that it already knew."}
          </p>
          <Witnesses witnesses={witnesses} />
        </>
      )}
    </>
  );
}

/** The house's verifier keys. */
export function KeysPanel({ keys }: { keys: Overview["verifierKeys"] }) {
  return (
    <div id="verifier-key" className="grid scroll-mt-20">
      <Panel title={keys.length === 1 ? "Verifier key" : "Verifier keys"}>
        <div className="grid gap-3">
          <p className="text-14 text-ink-2">
            The house signs receipts and checkpoints with this key. Keep a copy from a source other than this site, or
            compare yours with those of other players.
          </p>
          {keys.map((key, index) => (
            <HashLine key={key} label={keys.length === 1 ? "Key" : `Key ${index + 1}`} value={key} />
          ))}
        </div>
      </Panel>
    </div>
  );
}
