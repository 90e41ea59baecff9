import { Badge } from "@/components";
import type { AdminUser } from "../api/admin";

/** What is blocked for a user; the reasons are among the details of the row. */
export function RestrictionBadges({ user }: { user: AdminUser }) {
  const blocked = [
    { label: "No betting", reason: user.bettingBlockReason },
    { label: "No withdrawing", reason: user.withdrawingBlockReason },
  ];
  return blocked.map(
    ({ label, reason }) =>
      reason !== null && (
        <span key={label} title={reason} className="shrink-0">
          <Badge tone="notice">{label}</Badge>
        </span>
      ),
  );
}
