// The small things that most of the panel's tables show.

import { Link } from "react-router-dom";
import { Badge, CopyButton } from "@/components";
import { cn } from "@/lib/class-names";
import { formatDateTime } from "@/lib/format";
import { formatDollars } from "@/lib/money";
import type { AdminUser } from "../api/admin";
import { useNow } from "../use-now";
import { asLabel, groupsOfFour, inWords, paymentTone, relativeTime } from "./wording";

/** Where exactly that user is found, and nobody whose name has the number in it. */
export const userAddress = (id: number): string => `/admin?tab=users&search=${encodeURIComponent(`#${id}`)}`;

/** A user by name, with the id that tells two of them apart; leads to the user. */
export function UserLink({ id, username }: { id: number; username: string | null }) {
  return (
    <Link to={userAddress(id)} className="underline decoration-line underline-offset-4 hover:decoration-current">
      <span className="break-all">{username ?? "User"}</span> <span className="text-12 text-ink-3">#{id}</span>
    </Link>
  );
}

/** When something was, in the reader's own time. */
export function DateTime({ iso, className }: { iso: string; className?: string }) {
  return (
    <time dateTime={iso} className={cn("text-ink-2 @min-[860px]:whitespace-nowrap", className)}>
      {formatDateTime(iso)}
    </time>
  );
}

/** How long ago something was; the exact time is shown on hover. */
export function Ago({ iso }: { iso: string }) {
  const nowMs = useNow();
  return (
    <time dateTime={iso} title={formatDateTime(iso)} className="text-ink-2">
      {relativeTime(iso, nowMs)}
    </time>
  );
}

/** A long id or address that can be copied. */
export function LongText({ text, label }: { text: string; label: string }) {
  return (
    <span className="flex items-center gap-0.5">
      <code className="min-w-0 break-all font-mono text-12 text-ink-2">{text}</code>
      <CopyButton text={text} label={label} />
    </span>
  );
}

/** An address to be compared by eye. The gaps are no characters: what is copied is the address. */
export function GroupedAddress({ address }: { address: string }) {
  return (
    <code className="flex flex-wrap gap-x-2 gap-y-0.5 font-mono text-13">
      {groupsOfFour(address).map((group, position) => (
        // oxlint-disable-next-line react/no-array-index-key -- groups repeat, and never move
        <span key={position}>{group}</span>
      ))}
    </code>
  );
}

/** One amount becoming another. */
export function Change({ fromCents, toCents }: { fromCents: number; toCents: number }) {
  return (
    <span className="font-semibold">
      {formatDollars(fromCents)} <span aria-hidden>→</span> <span className="sr-only">becomes</span>{" "}
      {formatDollars(toCents)}
    </span>
  );
}

/** The status of a payment in the colour that belongs to it. */
export function PaymentStatusBadge({ status }: { status: string }) {
  const tone = paymentTone(status);
  if (tone === "amber") return <Badge className="text-brass">{inWords(status)}</Badge>;
  return <Badge tone={tone}>{inWords(status)}</Badge>;
}

const STATE_TONES = { approved: "win", completed: "win", pending: "info" } as const;

/** Whether a user is welcome: no green and no red, which speak of money. */
export function UserBadge({ status }: { status: AdminUser["status"] }) {
  return <Badge className={cn(status === "banned" && "bg-ink font-semibold text-bg")}>{asLabel(status)}</Badge>;
}

/** The status of a request or a deposit. */
export function StateBadge({ state }: { state: string }) {
  return <Badge tone={STATE_TONES[state as keyof typeof STATE_TONES] ?? "notice"}>{asLabel(state)}</Badge>;
}
