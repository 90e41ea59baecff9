// The columns of the list of alerts, and what its rows show on request.

import { Badge, Button } from "@/components";
import { Ago } from "@/components/ago";
import { cn } from "@/lib/class-names";
import type { AdminAlert } from "../api/admin";
import { DateTime, ExactTime, RoundLink, UserLink } from "../lists/cells";
import type { Column, Detail } from "../lists/record-table";
import { deliveryName, deliveryOutcome, deliverySummary, hasProblem, KIND_NAMES } from "./wording";

export const nameOf = ({ id }: AdminAlert): string => `alert ${id}`;

type Acknowledging = {
  /** Whether the role permits it. */
  isPermitted: boolean;
  /** The alert that is being acknowledged. */
  runningId: number | null;
  acknowledge(alert: AdminAlert): void;
};

export const columnsFor = (acknowledging: Acknowledging): Column<AdminAlert>[] => [
  { name: "ID", cell: (alert) => alert.id },
  { name: "Kind", card: "title", cell: (alert) => <Kind alert={alert} /> },
  {
    name: "Alert",
    card: "note",
    className: "max-w-[340px] @max-[1000px]:col-span-2 @max-[1000px]:max-w-none",
    cell: (alert) => (
      <span
        title={alert.text}
        className="block truncate @max-[1000px]:whitespace-normal @max-[1000px]:[overflow-wrap:anywhere]"
      >
        {alert.text}
      </span>
    ),
  },
  { name: "About", className: "max-w-[190px] truncate", cell: (alert) => <About alert={alert} /> },
  { name: "Raised", card: "value", className: "@max-[1000px]:text-13", cell: (alert) => <Ago iso={alert.raisedAt} /> },
  { name: "State", cell: (alert) => <State alert={alert} /> },
  { name: "Sent", cell: (alert) => <Sent alert={alert} /> },
  {
    name: "Acknowledged",
    card: "actions",
    cell: (alert) => <Acknowledgement alert={alert} {...acknowledging} />,
  },
];

/** A card has no place for the state and the deliveries, so it says here what is wrong. */
function Kind({ alert: { kind, isCondition, resolvedAt, deliveries } }: { alert: AdminAlert }) {
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      {KIND_NAMES[kind]}
      <span className="contents @min-[1000px]:hidden">
        {isCondition && resolvedAt === null && <Badge tone="notice">Holds</Badge>}
        {hasProblem(deliveries) && <Badge tone="notice">Not delivered</Badge>}
      </span>
    </span>
  );
}

/** Whom and which round it is about. */
function About({ alert: { user, roundId } }: { alert: AdminAlert }) {
  if (user === null && roundId === null) return <span className="text-ink-3">none</span>;
  return (
    <span className="flex items-baseline gap-3">
      {user !== null && <UserLink id={user.id} username={user.username} />}
      {roundId !== null && <RoundLink id={roundId}>{`Round ${roundId}`}</RoundLink>}
    </span>
  );
}

/** Only what can cease to hold has a state. */
function State({ alert: { isCondition, resolvedAt } }: { alert: AdminAlert }) {
  if (!isCondition) return <span className="text-13 text-ink-3">Happened</span>;
  if (resolvedAt === null) return <Badge tone="notice">Holds</Badge>;
  return (
    <span className="flex items-baseline gap-2">
      <Badge>Resolved</Badge>
      <span className="text-12">
        <Ago iso={resolvedAt} />
      </span>
    </span>
  );
}

function Sent({ alert: { deliveries } }: { alert: AdminAlert }) {
  if (deliveries.length === 0) return <span className="text-ink-3">none</span>;
  const lines = deliveries.map((delivery) => `${deliveryName(delivery)}: ${deliveryOutcome(delivery)}`);
  return (
    <span title={lines.join("\n")} className={cn("text-13", hasProblem(deliveries) ? "text-notice" : "text-ink-2")}>
      {deliverySummary(deliveries)}
    </span>
  );
}

function Acknowledgement({ alert, isPermitted, runningId, acknowledge }: Acknowledging & { alert: AdminAlert }) {
  const { acknowledgedAt, acknowledgedBy } = alert;
  if (acknowledgedAt !== null)
    return (
      <span className="flex items-baseline gap-2 text-13 text-ink-3 @min-[1000px]:justify-end">
        {acknowledgedBy !== null && <span className="max-w-[120px] truncate">{acknowledgedBy.username}</span>}
        <DateTime iso={acknowledgedAt} className="text-ink-3" />
      </span>
    );
  if (!isPermitted) return <span className="text-13 text-ink-3">Not yet</span>;
  return (
    <span className="flex @min-[1000px]:justify-end">
      <Button
        size="small"
        loading={runningId === alert.id}
        aria-label={`Acknowledge ${nameOf(alert)}`}
        onClick={() => acknowledge(alert)}
      >
        Acknowledge
      </Button>
    </span>
  );
}

export function detailsOf(alert: AdminAlert): Detail[] {
  const { user, roundId, isCondition, resolvedAt, acknowledgedAt, acknowledgedBy, deliveries } = alert;
  return [
    ["Alert", alert.text],
    user === null ? null : ["User", <UserLink key="user" id={user.id} username={user.username} />],
    roundId === null ? null : ["Round", <RoundLink key="round" id={roundId}>{`Round ${roundId}`}</RoundLink>],
    ["Raised", <ExactTime key="raised" iso={alert.raisedAt} />],
    isCondition
      ? ["Resolved", resolvedAt === null ? "Not yet: it holds" : <ExactTime key="resolved" iso={resolvedAt} />]
      : null,
    ...deliveries.map((delivery): Detail => [deliveryName(delivery), deliveryOutcome(delivery)]),
    deliveries.length === 0 ? ["Sent", "To nobody: there are no receivers, or it was raised just now"] : null,
    acknowledgedAt === null
      ? null
      : [
          "Acknowledged",
          <span key="acknowledged">
            by {acknowledgedBy?.username}, <ExactTime iso={acknowledgedAt} />
          </span>,
        ],
  ];
}
