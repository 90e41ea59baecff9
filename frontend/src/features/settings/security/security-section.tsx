import { useUser } from "@/api/session";
import { useAddressBook } from "@/api/withdrawal-addresses";
import { AddressBookPanel } from "./address-book-panel";
import { ChangePassword } from "./change-password";
import { EventsPanel } from "./events-panel";
import { SecondFactorPanel } from "./second-factor-panel";
import { SessionsPanel } from "./sessions-panel";
import { useOwnSecurityEvents, useOwnSessions } from "./api";

/** What protects the account, the address book, where the player is signed in, and what happened to the access. */
export default function SecuritySection() {
  const user = useUser();
  const sessions = useOwnSessions();
  const events = useOwnSecurityEvents();
  const addressBook = useAddressBook();
  // The page is for players only.
  if (!user) return null;
  return (
    <>
      <ChangePassword
        username={user.username}
        delayHours={addressBook.book?.delayHours}
        onChanged={() => {
          void sessions.reload();
          void events.reload();
        }}
      />
      <SecondFactorPanel
        delayHours={addressBook.book?.delayHours}
        onChanged={() => {
          void sessions.reload();
          void events.reload();
        }}
      />
      <AddressBookPanel addressBook={addressBook} username={user.username} onAdded={() => void events.reload()} />
      <SessionsPanel sessions={sessions} onEnded={() => void events.reload()} />
      <EventsPanel events={events} />
    </>
  );
}
