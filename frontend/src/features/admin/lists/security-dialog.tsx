import { Dialog, EmptyState } from "@/components";
import { SecurityEventList } from "@/components/security-event-list";
import type { AdminUser } from "../api/admin";
import { useSecurityEvents } from "../api/admin-pages";
import { RecordList } from "./record-list";

/** What happened to the access to a user's account within a year. */
export function SecurityDialog({ user, onClose }: { user: AdminUser; onClose(): void }) {
  const events = useSecurityEvents(user.id);
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`Security events of ${user.username}`}
      description="Sign-ins, refused attempts and changes of the last year, newest first."
      wide
      fixedTop
    >
      <RecordList pages={events} noun="security events" empty={<EmptyState title="No security events found" />}>
        {(rows) => <SecurityEventList label={`Security events of ${user.username}`} events={rows} />}
      </RecordList>
    </Dialog>
  );
}
