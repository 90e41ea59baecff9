import { useEffect, useRef, useState } from "react";
import { LinkButton, Panel } from "@/components";
import { formatShortDateTime } from "@/lib/format";
import { KIND_NAMES, LIMIT_KINDS, LIMIT_PERIODS, type LimitKind } from "@/lib/limit-texts";
import { useNow } from "@/lib/use-now";
import type { LimitOverview, LimitSlot, PlayerLimit } from "./api";
import { LimitRow } from "./limit-row";

/** What each limit counts, in the player's words. */
const COUNTED: Readonly<Record<LimitKind, string>> = {
  deposit: "What was credited to your balance, and what can still be paid for open invoices.",
  loss: "Your stakes less your payouts, in all games together. A payout counts when it is paid.",
  stake: "What you bet in all games together, whether you win or lose.",
  session_time: "The time in which you use Glasshouse. A minute counts once, however many devices and tabs you use.",
};

type LimitsPanelProps = {
  limits: readonly PlayerLimit[];
  /** A period has ended. */
  onReset(): void;
  onChanged(overview: LimitOverview): void;
};

const isSame = (one: LimitSlot | null, other: LimitSlot): boolean =>
  one !== null && one.kind === other.kind && one.period === other.period;

/** All limits, by what they bound and by period. One is edited at a time. */
export function LimitsPanel({ limits, onReset, onChanged }: LimitsPanelProps) {
  const [edited, setEdited] = useState<LimitSlot | null>(null);
  useResets(limits, onReset);
  return (
    <Panel
      title="Limits"
      actions={
        <LinkButton to="/responsible-gaming" size="small" variant="ghost">
          How limits work
        </LinkButton>
      }
    >
      <Rules />
      <div className="grid gap-6">
        {LIMIT_KINDS.map((kind) => (
          <section key={kind} aria-labelledby={`limit-${kind}`}>
            <h3 id={`limit-${kind}`} className="text-14 font-semibold">
              {KIND_NAMES[kind]}
            </h3>
            <p className="max-w-[72ch] text-pretty text-13 text-ink-3">{COUNTED[kind]}</p>
            <ul className="mt-2 divide-y divide-line border-y border-line">
              {LIMIT_PERIODS.map((period) => (
                <LimitRow
                  key={period}
                  slot={{ kind, period }}
                  limit={limits.find((limit) => isSame(limit, { kind, period }))}
                  isEdited={isSame(edited, { kind, period })}
                  onEdit={(isEdited) => setEdited(isEdited ? { kind, period } : null)}
                  onChanged={onChanged}
                />
              ))}
            </ul>
          </section>
        ))}
      </div>
    </Panel>
  );
}

/** What every change of a limit leads to. */
function Rules() {
  const midnight = new Date(useNow());
  midnight.setUTCHours(24, 0, 0, 0);
  return (
    <ul className="mb-6 grid max-w-[72ch] list-disc gap-1.5 pl-5 text-14 text-ink-2">
      <li>A first limit and a lower one are in force at once, and count what you have used since the period began.</li>
      <li>
        A higher limit, and removing one, take 24 hours. You must then confirm them within seven days, or nothing
        changes. You can withdraw the request at any time.
      </li>
      <li>
        Days, weeks (from Monday) and months begin at midnight UTC: here the next day begins{" "}
        {formatShortDateTime(midnight.toISOString())}.
      </li>
      <li>A round in play can always be finished, and money that arrives is always credited.</li>
    </ul>
  );
}

/** Asks for the limits again when a period has ended or a request has lapsed. */
function useResets(limits: readonly PlayerLimit[], onReset: () => void): void {
  const nowMs = useNow();
  const asked = useRef<number | null>(null);
  const ends = limits.flatMap(({ resetsAt, pending }) => [resetsAt, ...(pending ? [pending.lapsesAt] : [])]);
  const next = Math.min(...ends.map((end) => Date.parse(end)));
  useEffect(() => {
    // Once, also if this device's clock is ahead of the server's.
    if (nowMs <= next || asked.current === next) return;
    asked.current = next;
    onReset();
  }, [nowMs, next, onReset]);
}
