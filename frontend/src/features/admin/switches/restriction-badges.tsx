import { Badge } from "@/components";
import type { AdminUser } from "../api/admin";

/** What is blocked for a user, and why. */
export function RestrictionBadges({ user }: { user: AdminUser }) {
  const blocked = [
    { label: "Betting blocked", reason: user.bettingBlockReason },
    { label: "Withdrawing blocked", reason: user.withdrawingBlockReason },
  ].filter(({ reason }) => reason !== null);
  return blocked.map(({ label, reason }) => (
    <span key={label} className="mt-1 block max-w-[28ch] break-words text-12 text-ink-3">
      <Badge tone="notice">{label}</Badge> {reason}
    </span>
  ));
}
