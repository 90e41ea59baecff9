import { useEffect, useRef, useState } from "react";
import { errorMessage } from "@/api/client";
import { Badge, Button, ConfirmDialog, toast } from "@/components";
import { formatDateTime } from "@/lib/format";
import { limitName, limitValueText, minutesText, PER_PERIOD } from "@/lib/limit-texts";
import { formatDollars } from "@/lib/money";
import { useNow } from "@/lib/use-now";
import { confirmLimit, type LimitOverview, type LimitSlot, type PlayerLimit, setLimit, withdrawLimit } from "./api";
import { LimitForm } from "./limit-form";
import { usageOf } from "./rules";

const PERIOD_LABELS = { day: "Day", week: "Week", month: "Month" } as const;

type LimitRowProps = {
  slot: LimitSlot;
  limit: PlayerLimit | undefined;
  isEdited: boolean;
  onEdit(isEdited: boolean): void;
  onChanged(overview: LimitOverview): void;
};

/** The limit of a period: its value, what is used of it, what is pending, and how to change it. */
export function LimitRow({ slot, limit, isEdited, onEdit, onChanged }: LimitRowProps) {
  const { kind, period } = slot;
  const name = limitName(kind, period);
  const row = useRef<HTMLLIElement>(null);
  const [isRemoving, setRemoving] = useState(false);
  const { isBusy, run } = useChange(onChanged);
  const wasEdited = useRef(false);
  useEffect(() => {
    // The form is gone: keyboard users would start over at the top of the page.
    if (wasEdited.current && !isEdited) row.current?.focus({ preventScroll: true });
    wasEdited.current = isEdited;
  }, [isEdited]);
  async function change(call: () => Promise<LimitOverview>, title: string, description: string) {
    if (await run(call, title, description)) row.current?.focus({ preventScroll: true });
  }
  return (
    <li ref={row} tabIndex={-1} aria-label={`${PERIOD_LABELS[period]}: ${name}`} className="grid gap-2 py-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <p className="flex min-w-0 items-baseline gap-3 text-14">
          <span className="w-12 shrink-0 text-ink-3">{PERIOD_LABELS[period]}</span>
          {limit === undefined ? (
            <span className="text-ink-2">No limit</span>
          ) : (
            <span className="font-semibold">{limitValueText(kind, limit.value)}</span>
          )}
        </p>
        {!isEdited && (
          <div className="flex gap-2">
            <Button size="small" onClick={() => onEdit(true)} aria-label={`${limit ? "Change" : "Set"} the ${name}`}>
              {limit ? "Change" : "Set"}
            </Button>
            {limit && limit.pending?.value !== null && (
              <Button
                size="small"
                variant="ghost"
                loading={isBusy}
                onClick={() => setRemoving(true)}
                aria-label={`Remove the ${name}`}
              >
                Remove
              </Button>
            )}
          </div>
        )}
      </div>
      {limit && <Usage limit={limit} />}
      {limit?.pending && (
        <Pending
          limit={limit}
          name={name}
          isBusy={isBusy}
          onConfirm={() => void change(() => confirmLimit(slot), "Change Confirmed", `Your ${name} was changed.`)}
          onWithdraw={() => void change(() => withdrawLimit(slot), "Request Withdrawn", `Your ${name} stays as it is.`)}
        />
      )}
      {isEdited && <LimitForm slot={slot} limit={limit} onClose={() => onEdit(false)} onChanged={onChanged} />}
      <ConfirmDialog
        open={isRemoving}
        onOpenChange={setRemoving}
        title={`Remove the ${name}?`}
        description="It stays in force for at least 24 hours. You must then confirm the removal within seven days, or the limit stays. A pending raise is replaced."
        cancelLabel="Keep the limit"
        confirmLabel="Ask to remove it"
        onConfirm={() => {
          setRemoving(false);
          void change(
            () => setLimit(slot, null),
            "Removal Requested",
            `Your ${name} stays in force until you confirm its removal.`,
          );
        }}
      />
    </li>
  );
}

/** One call at a time; resolves to whether it succeeded. */
function useChange(onChanged: (overview: LimitOverview) => void) {
  const isRunning = useRef(false);
  const [isBusy, setBusy] = useState(false);
  async function run(call: () => Promise<LimitOverview>, title: string, description: string): Promise<boolean> {
    if (isRunning.current) return false;
    isRunning.current = true;
    setBusy(true);
    try {
      onChanged(await call());
      toast({ title, description });
      return true;
    } catch (error) {
      const text = errorMessage(error, "Something went wrong");
      toast({ title: "Limit Not Changed", description: text, variant: "destructive" });
      return false;
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  }
  return { isBusy, run };
}

function usageText(limit: PlayerLimit): string {
  const { kind, used } = limit;
  const { left } = usageOf(limit);
  const rest = kind === "session_time" ? minutesText(left) : formatDollars(left);
  if (used.startsWith("-")) return `${limitValueText(kind, used.slice(1))} won so far, ${rest} left to lose`;
  return `${limitValueText(kind, used)} used, ${rest} left`;
}

function Usage({ limit }: { limit: PlayerLimit }) {
  const { share, left } = usageOf(limit);
  const text = usageText(limit);
  return (
    <div className="grid gap-1">
      <div aria-hidden className="edge h-1.5 overflow-hidden rounded-chip bg-well">
        <div
          className={left === 0 ? "edge-filled h-full bg-notice" : "edge-filled h-full bg-brass"}
          style={{ width: `${share * 100}%` }}
        />
      </div>
      <p className="flex flex-wrap justify-between gap-x-4 text-13 text-ink-2">
        <span>{left === 0 ? `Reached: ${text}` : text}</span>
        <span className="text-ink-3">Resets {formatDateTime(limit.resetsAt)}</span>
      </p>
    </div>
  );
}

type PendingProps = {
  limit: PlayerLimit;
  name: string;
  isBusy: boolean;
  onConfirm(): void;
  onWithdraw(): void;
};

/** A raise or removal that waits for the player. */
function Pending({ limit, name, isBusy, onConfirm, onWithdraw }: PendingProps) {
  const nowMs = useNow();
  const { kind, period, pending } = limit;
  if (!pending) return null;
  const { value, confirmableAt, lapsesAt } = pending;
  const isConfirmable = nowMs >= Date.parse(confirmableAt);
  const what = value === null ? "Removal" : `Raise to ${limitValueText(kind, value)} ${PER_PERIOD[period]}`;
  return (
    <div className="grid gap-2 rounded-control bg-well p-3 text-13">
      <p className="text-pretty">
        <Badge tone="notice" className="mr-2">
          {isConfirmable ? "Waits for you" : "Pending"}
        </Badge>
        <span>
          {what}.{" "}
          {isConfirmable
            ? `Confirm it until ${formatDateTime(lapsesAt)}, or nothing changes.`
            : `You can confirm it from ${formatDateTime(confirmableAt)} until ${formatDateTime(lapsesAt)}; otherwise nothing changes.`}
        </span>
      </p>
      <div className="flex flex-wrap gap-2">
        {isConfirmable && (
          <Button size="small" disabled={isBusy} onClick={onConfirm} aria-label={`Confirm the change of the ${name}`}>
            Confirm
          </Button>
        )}
        <Button size="small" disabled={isBusy} onClick={onWithdraw} aria-label={`Withdraw the change of the ${name}`}>
          Withdraw request
        </Button>
      </div>
    </div>
  );
}
