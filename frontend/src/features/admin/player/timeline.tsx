// What happened with a player, newest first.

import {
  ArrowDownToLine,
  ArrowUpFromLine,
  Ban,
  BookOpenText,
  Dices,
  Gauge,
  type LucideIcon,
  ScrollText,
  ShieldCheck,
} from "lucide-react";
import { Amount, EmptyState, Panel } from "@/components";
import { Link } from "@/lib/address";
import type { TimelineEntry } from "../api/admin";
import { useTimeline } from "../api/admin-pages";
import { ExactTime } from "../lists/cells";
import { ClearFilters, Filter, ListBar } from "../lists/list-bar";
import { DateRange, useDateRange } from "../lists/ranges";
import { RecordList } from "../lists/record-list";
import { useChoice } from "../lists/url-state";
import { usePermission } from "../permissions";
import { describe, type Kind, KIND_LABELS } from "./describe";

const ICONS: Readonly<Record<Kind, LucideIcon>> = {
  round: Dices,
  deposit: ArrowDownToLine,
  withdrawal: ArrowUpFromLine,
  ledger: BookOpenText,
  security: ShieldCheck,
  limit: Gauge,
  exclusion: Ban,
  audit: ScrollText,
};

type Choice = Kind | "all";
const KINDS = Object.keys(KIND_LABELS) as Kind[];

/** Those without the permission are not offered what the server would refuse. */
function useKinds(): readonly { value: Choice; label: string }[] {
  const maySeeSecurity = usePermission("read_security_events");
  const shown = KINDS.filter((kind) => kind !== "security" || maySeeSecurity);
  return [{ value: "all", label: "Everything" }, ...shown.map((kind) => ({ value: kind, label: KIND_LABELS[kind] }))];
}

/** The timeline with its filter, which is in the address. */
export function useFilteredTimeline(userId: number) {
  const kinds = useKinds();
  const kind = useChoice<Choice>("kind", kinds);
  const dates = useDateRange();
  const filter = { ...(kind.value === "all" ? {} : { kind: kind.value }), ...dates.query };
  return { kinds, kind, dates, pages: useTimeline(userId, filter) };
}

type TimelineProps = { timeline: ReturnType<typeof useFilteredTimeline>; username: string };

export function Timeline({ timeline: { kinds, kind, dates, pages }, username }: TimelineProps) {
  const isNarrow = kind.value !== "all" || dates.inUse > 0;
  return (
    <Panel title="Timeline">
      <ListBar
        noun="entries"
        isLoading={pages.isLoading}
        onRefresh={() => void pages.reload()}
        more={{ inUse: dates.inUse, filters: <DateRange label="Date" range={dates} /> }}
      >
        <Filter label="Kind" value={kind.value} onChoose={kind.choose} options={kinds} />
      </ListBar>
      <RecordList
        pages={pages}
        noun="entries"
        empty={
          <EmptyState
            title={isNarrow ? "Nothing of this kind has happened" : "Nothing has happened yet"}
            action={isNarrow && <ClearFilters />}
          />
        }
      >
        {(entries) => (
          <ol aria-label={`Timeline of ${username}`} className="divide-y divide-line">
            {entries.map((entry) => (
              <Entry key={`${entry.kind}-${entry.id}`} entry={entry} />
            ))}
          </ol>
        )}
      </RecordList>
    </Panel>
  );
}

function Entry({ entry }: { entry: TimelineEntry }) {
  const Icon = ICONS[entry.kind];
  const { title, note, changeCents, address } = describe(entry);
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-baseline gap-x-3 py-2 lg:grid-cols-[auto_minmax(0,1fr)_auto_250px]">
      <Icon aria-hidden className="size-4 self-start translate-y-0.5 text-ink-3" />
      <p className="min-w-0 text-14">
        <span className="sr-only">{KIND_LABELS[entry.kind]}: </span>
        {address === null ? (
          <span className="font-medium">{title}</span>
        ) : (
          <Link
            to={address}
            className="font-medium underline decoration-line underline-offset-4 hover:decoration-current"
          >
            {title}
          </Link>
        )}
        {note !== null && (
          <span className="text-13 text-ink-3 [overflow-wrap:anywhere] max-sm:block sm:ml-2">{note}</span>
        )}
      </p>
      <p className="text-right text-14 font-semibold">
        {changeCents !== null && <Amount cents={changeCents} signed />}
      </p>
      <p className="text-13 text-ink-2 max-lg:col-start-2 lg:text-right">
        <ExactTime iso={entry.at} />
      </p>
    </li>
  );
}
