// Cells shared by the panel's tables.

import type { ReactNode } from "react";
import { Link } from "@/lib/address";
import { Badge, CopyButton } from "@/components";
import { cn } from "@/lib/class-names";
import { formatDateTime } from "@/lib/format";
import { formatZoned } from "@/lib/zoned-time";
import { formatDollars } from "@/lib/money";
import type { AdminUser } from "../api/admin";
import { asLabel, groupsOfFour, inWords, paymentTone } from "./wording";

/** The page of exactly this user. */
export const userAddress = (id: number): string => `/admin/players/${id}`;

/** A link to a user, with the ID in case names are similar. */
export function UserLink({ id, username }: { id: number; username: string | null }) {
  return (
    <Link
      to={userAddress(id)}
      className="inline-flex max-w-full items-baseline gap-1 align-bottom underline decoration-line underline-offset-4 hover:decoration-current"
    >
      <span className="min-w-0 truncate" title={username ?? undefined}>
        {username ?? "User"}
      </span>{" "}
      <span className="text-12 text-ink-3">#{id}</span>
    </Link>
  );
}

/** The page of a round, where it is replayed. */
export const roundAddress = (id: number): string => `/admin/rounds/${id}`;
/** The page of a payment, by the provider's ID. */
export const paymentAddress = (id: string): string => `/admin/payments/${encodeURIComponent(id)}`;
/** The page of a withdrawal. */
export const withdrawalAddress = (id: number): string => `/admin/withdrawals/${id}`;

/** Leads to the page of what a row is about. */
export function PageLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} className="underline decoration-line underline-offset-4 hover:decoration-current">
      {children}
    </Link>
  );
}

/** Leads to a round's page. */
export const RoundLink = ({ id, children }: { id: number; children: string }) => (
  <PageLink to={roundAddress(id)}>{children}</PageLink>
);

/** A payment's ID, which leads to its page. */
export const PaymentLink = ({ id }: { id: string }) => (
  <PageLink to={paymentAddress(id)}>
    <code className="break-all font-mono text-13">{id}</code>
  </PageLink>
);

/** Several of them. */
export function PaymentLinks({ ids }: { ids: readonly string[] }) {
  return (
    <span className="flex flex-wrap gap-x-3">
      {ids.map((id) => (
        <PaymentLink key={id} id={id} />
      ))}
    </span>
  );
}

/** A point in time in the reader's time zone, which is named on hover. */
export function DateTime({ iso, className }: { iso: string; className?: string }) {
  return (
    <time
      dateTime={iso}
      title={formatZoned(iso)}
      className={cn("text-ink-2 @min-[1000px]:whitespace-nowrap", className)}
    >
      {formatDateTime(iso)}
    </time>
  );
}

/** A long ID or address on one line, with a copy button. What does not fit is shown on hover and in the details. */
export function LongText({ text, label }: { text: string; label: string }) {
  return (
    <span className="flex items-center gap-0.5">
      <code title={text} className="min-w-0 truncate font-mono text-12 text-ink-2">
        {text}
      </code>
      <CopyButton text={text} label={label} />
    </span>
  );
}

/** The same in full. */
export function WholeText({ text, label }: { text: string; label: string }) {
  return (
    <span className="flex items-center gap-0.5">
      <code className="min-w-0 break-all font-mono text-13">{text}</code>
      <CopyButton text={text} label={label} />
    </span>
  );
}

/** An exact time with its zone. In a narrow place, the day is on one line and the time on the next. */
export function ExactTime({ iso }: { iso: string }) {
  const [day, time] = formatZoned(iso).split(", ");
  return (
    <time dateTime={iso}>
      <span className="whitespace-nowrap">{day},</span> <span className="whitespace-nowrap">{time}</span>
    </time>
  );
}

/** An address in groups, for comparing by eye. The gaps are CSS, so copying yields the plain address. */
export function GroupedAddress({ address }: { address: string }) {
  return (
    <code className="flex flex-wrap gap-x-2 gap-y-0.5 font-mono text-13">
      {groupsOfFour(address).map((group, position) => (
        // oxlint-disable-next-line react/no-array-index-key -- groups can repeat, and never change places
        <span key={position}>{group}</span>
      ))}
    </code>
  );
}

/** An old and a new amount. */
export function Change({ fromCents, toCents }: { fromCents: number; toCents: number }) {
  return (
    <span className="font-semibold">
      {formatDollars(fromCents)} <span aria-hidden>→</span> <span className="sr-only">becomes</span>{" "}
      {formatDollars(toCents)}
    </span>
  );
}

/** A payment's status in its colour. */
export function PaymentStatusBadge({ status }: { status: string }) {
  const tone = paymentTone(status);
  if (tone === "amber") return <Badge className="text-brass">{inWords(status)}</Badge>;
  return <Badge tone={tone}>{inWords(status)}</Badge>;
}

const STATE_TONES = { approved: "win", completed: "win", pending: "info" } as const;

/** A user's status. It uses neither green nor red, which are for money. */
export function UserBadge({ status }: { status: AdminUser["status"] }) {
  return <Badge className={cn(status === "banned" && "bg-ink font-semibold text-bg")}>{asLabel(status)}</Badge>;
}

/** The status of a withdrawal request or a deposit. */
export function StateBadge({ state }: { state: string }) {
  return <Badge tone={STATE_TONES[state as keyof typeof STATE_TONES] ?? "notice"}>{asLabel(state)}</Badge>;
}
