// Approves or rejects several withdrawals with one confirmation, and shows what becomes of each.

import { Check, CircleAlert, Clock, UsersRound } from "lucide-react";
import { useRef, useState } from "react";
import { withStepUp } from "@/api/step-up";
import { Button, Checkbox, Spinner } from "@/components";
import { cn } from "@/lib/class-names";
import { counted } from "@/lib/format";
import { centsOf, formatDollars, formatWire } from "@/lib/money";
import { type AdminWithdrawal, processWithdrawal, type WithdrawalDecision } from "../api/admin";
import { type BulkResult, type BulkState, decideAll, type SendDecision, WAITING } from "../withdrawals/bulk";
import { userOf } from "../withdrawals/wording";
import { DecisionDialog, Facts } from "./decision-dialog";
import { ReasonField, useReason } from "./reason-field";
import { REJECTION_REASON_REQUIRED } from "./rules";
import { useSenders } from "./use-senders";

type Results = ReadonlyMap<number, BulkResult>;

type BulkDialogProps = {
  action: "approve" | "reject";
  requests: readonly AdminWithdrawal[];
  /** For each that was decided, as it is now. */
  onDecided(request: AdminWithdrawal): void;
  /** `isChanged`: something was sent. */
  onClose(isChanged: boolean): void;
};

function useSend(): SendDecision {
  const senderOf = useSenders();
  return async (request, decision) => {
    const sent = await senderOf(request.id).send(decision, (body: WithdrawalDecision, key) =>
      withStepUp(() => processWithdrawal(request.id, body, key)),
    );
    return sent.answer;
  };
}

const isOpenState = (state: BulkState): boolean => state === "unsure" || state === "unsent";

export function BulkDialog({ action, requests: chosen, onDecided, onClose }: BulkDialogProps) {
  // The list behind the dialog changes with each answer.
  const [requests] = useState(chosen);
  const [results, setResults] = useState<Results>(new Map());
  const [isRunning, setRunning] = useState(false);
  const [isProposing, setProposing] = useState(true);
  const isStopped = useRef(false);
  const lastReason = useRef("");
  const send = useSend();
  const hasBegun = results.size > 0;

  async function run(reason: string) {
    lastReason.current = reason;
    isStopped.current = false;
    const open = requests.filter(({ id }) => isOpenState(results.get(id)?.state ?? "unsent"));
    const next = new Map(results);
    for (const { id } of open) next.set(id, WAITING);
    setResults(new Map(next));
    setRunning(true);
    await decideAll({
      requests: open,
      decision: action === "approve" ? { action } : { action, reason },
      isProposing,
      send,
      isStopped: () => isStopped.current,
      onResult(request, result, decided) {
        next.set(request.id, result);
        setResults(new Map(next));
        if (decided !== null) onDecided(decided);
      },
    });
    setRunning(false);
  }
  const reason = useReason(REJECTION_REASON_REQUIRED, (text) => void run(text));
  const isReject = action === "reject";
  const verb = isReject ? "Reject" : "Approve";
  const what = counted(requests.length, "request");
  return (
    <DecisionDialog
      title={`${verb} ${what}`}
      description={
        isReject
          ? "The full amounts are returned to the players' balances."
          : "This action cannot be undone. Compare the users and the amounts before you go on."
      }
      confirmLabel={`${verb} ${what}`}
      isDestructive={isReject}
      wide
      {...(isReject && !hasBegun ? { initialFocus: reason.focus } : {})}
      isBusy={isRunning}
      onCancel={() => onClose(hasBegun)}
      onConfirm={isReject ? reason.submit : () => void run("")}
      {...(hasBegun
        ? {
            footer: (
              <BulkFooter
                isRunning={isRunning}
                openCount={[...results.values()].filter(({ state }) => isOpenState(state)).length}
                onStop={() => (isStopped.current = true)}
                onRepeat={() => void run(lastReason.current)}
                onClose={() => onClose(true)}
              />
            ),
          }
        : {})}
    >
      {hasBegun ? <Progress results={results} count={requests.length} /> : <Total requests={requests} />}
      <ul aria-label="Requests" className="divide-y divide-line rounded-control bg-well px-4 text-14">
        {requests.map((request) => (
          <BulkItem key={request.id} request={request} result={results.get(request.id)} />
        ))}
      </ul>
      {!hasBegun && isReject && (
        <ReasonField label="Rejection Reason" hint="It is shown to each of the players." {...reason.field} />
      )}
      {!hasBegun && !isReject && (
        <Checkbox checked={isProposing} onCheckedChange={setProposing}>
          Propose what needs a second person
        </Checkbox>
      )}
    </DecisionDialog>
  );
}

const sumOf = (requests: readonly AdminWithdrawal[], amount: "amount" | "netAmount"): string =>
  formatDollars(requests.reduce((sum, request) => sum + centsOf(request[amount]), 0));

function Total({ requests }: { requests: readonly AdminWithdrawal[] }) {
  return (
    <Facts
      facts={[
        ["Requests", requests.length],
        ["Total", <strong key="total">{sumOf(requests, "amount")}</strong>],
        ["Net, after fees", sumOf(requests, "netAmount")],
      ]}
    />
  );
}

const STATE_WORDS: readonly (readonly [BulkState, string])[] = [
  ["done", "done"],
  ["proposed", "proposed"],
  ["refused", "refused"],
  ["unsure", "without an answer"],
  ["unsent", "not sent"],
];

/** "3 done, 1 refused" */
export function summaryOf(results: Iterable<BulkResult>): string {
  const states = [...results].map(({ state }) => state);
  const counts = STATE_WORDS.map(([state, words]) => [states.filter((one) => one === state).length, words] as const);
  return counts
    .filter(([count]) => count > 0)
    .map(([count, words]) => `${count} ${words}`)
    .join(", ");
}

const isOver = ({ state }: BulkResult): boolean => state !== "waiting" && state !== "running";

function Progress({ results, count }: { results: Results; count: number }) {
  const over = [...results.values()].filter(isOver).length;
  return (
    <div className="grid gap-2">
      <progress aria-label="Progress" value={over} max={count} className="h-2 w-full accent-brass" />
      <p role="status" className="text-14">
        {over} of {count}
        {over > 0 && `: ${summaryOf(results.values())}`}
      </p>
    </div>
  );
}

const ICONS = {
  done: Check,
  proposed: UsersRound,
  refused: CircleAlert,
  unsure: CircleAlert,
  unsent: Clock,
  waiting: Clock,
};

function BulkItem({ request, result }: { request: AdminWithdrawal; result: BulkResult | undefined }) {
  const Icon = result && result.state !== "running" ? ICONS[result.state] : null;
  const isProblem = result?.state === "refused" || result?.state === "unsure";
  return (
    <li className="grid gap-0.5 py-2">
      <span className="flex items-center justify-between gap-4">
        <span className="min-w-0 break-words">
          {userOf(request)} <span className="text-12 text-ink-3">request {request.id}</span>
        </span>
        <span className="font-semibold">{formatWire(request.amount)}</span>
      </span>
      {result === undefined && request.payableFrom !== null && (
        <span className="text-13 text-notice">Delayed: its approval will be refused for now</span>
      )}
      {result !== undefined && result.state !== "waiting" && (
        <span className={cn("flex items-center gap-1.5 text-13", isProblem ? "text-notice" : "text-ink-2")}>
          {Icon === null ? <Spinner /> : <Icon aria-hidden className="size-4 shrink-0" />}
          {result.state === "running" ? "Sending" : result.text}
        </span>
      )}
    </li>
  );
}

type BulkFooterProps = { isRunning: boolean; openCount: number; onStop(): void; onRepeat(): void; onClose(): void };

function BulkFooter({ isRunning, openCount, onStop, onRepeat, onClose }: BulkFooterProps) {
  if (isRunning) return <Button onClick={onStop}>Stop</Button>;
  if (openCount === 0)
    return (
      <Button variant="primary" onClick={onClose}>
        Done
      </Button>
    );
  return (
    <>
      <Button onClick={onClose}>Close</Button>
      <Button variant="primary" onClick={onRepeat}>
        Try Again ({openCount})
      </Button>
    </>
  );
}
