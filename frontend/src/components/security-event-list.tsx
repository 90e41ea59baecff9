import {
  CircleAlert,
  Download,
  Fingerprint,
  KeyRound,
  LogIn,
  LogOut,
  type LucideIcon,
  Mail,
  MonitorX,
  ShieldCheck,
  Smartphone,
} from "lucide-react";
import { cn } from "@/lib/class-names";
import { formatDateTime } from "@/lib/format";
import { Badge } from "./badge";

type Meaning = { text: string; Icon: LucideIcon; isFailure?: boolean };

/** What each kind of event means, for the account's owner and for administrators. */
const MEANINGS = {
  signed_in: { text: "Signed in", Icon: LogIn },
  sign_in_failed: { text: "A sign-in was refused because of a wrong password", Icon: CircleAlert, isFailure: true },
  signed_out: { text: "Signed out", Icon: LogOut },
  session_ended: { text: "Another session was ended", Icon: MonitorX },
  other_sessions_ended: { text: "All other sessions were ended", Icon: MonitorX },
  sessions_ended_by_house: { text: "All sessions were ended by the house", Icon: MonitorX },
  confirmed: { text: "An action was confirmed with the password or the second factor", Icon: ShieldCheck },
  confirmation_failed: {
    text: "An action was refused because of a wrong password",
    Icon: CircleAlert,
    isFailure: true,
  },
  password_changed: { text: "The password was changed, and all other sessions were ended", Icon: KeyRound },
  password_reset: {
    text: "The password was replaced by a one-time password, and all sessions were ended",
    Icon: KeyRound,
  },
  password_recovered: {
    text: "A new password was chosen with a link from a mail, and all sessions were ended",
    Icon: KeyRound,
  },
  email_changed: { text: "An e-mail address was confirmed", Icon: Mail },
  email_removed: { text: "The e-mail address was removed", Icon: Mail },
  second_factor_failed: {
    text: "A sign-in with the right password was refused because of a wrong code",
    Icon: CircleAlert,
    isFailure: true,
  },
  confirmation_code_failed: {
    text: "An action was refused because of a wrong code",
    Icon: CircleAlert,
    isFailure: true,
  },
  authenticator_enabled: { text: "An authenticator was set up, and all other sessions were ended", Icon: Smartphone },
  authenticator_removed: { text: "The authenticator was removed", Icon: Smartphone },
  passkey_added: { text: "A passkey was added", Icon: Fingerprint },
  passkey_removed: { text: "A passkey was removed, and all other sessions were ended", Icon: Fingerprint },
  passkey_failed: { text: "A passkey was refused because its signature was wrong", Icon: CircleAlert, isFailure: true },
  recovery_code_used: { text: "A recovery code was used in place of the second factor", Icon: KeyRound },
  recovery_codes_replaced: { text: "The recovery codes were replaced", Icon: KeyRound },
  second_factor_reset: {
    text: "The second factor was removed by the house, and all sessions were ended",
    Icon: Smartphone,
  },
  account_closed: { text: "The account was closed, and all sessions were ended", Icon: LogOut },
  account_reopened: { text: "The account was opened again by the operator", Icon: LogIn },
  data_exported: { text: "Everything that is stored about the account was downloaded", Icon: Download },
} satisfies Record<string, Meaning>;

export type SecurityEvent = {
  id: number;
  kind: keyof typeof MEANINGS;
  device: string | null;
  address: string | null;
  isNewDevice: boolean;
  createdAt: string;
};

/** What a kind of event means. */
export const eventText = (kind: SecurityEvent["kind"]): string => MEANINGS[kind].text;

/** The device and the network address of a request, as far as they are known. */
export const originText = ({ device, address }: Pick<SecurityEvent, "device" | "address">): string =>
  `${device ?? "Unknown device"}, ${address ?? "unknown address"}`;

/** What happened to the access to an account. */
export function SecurityEventList({ label, events }: { label: string; events: readonly SecurityEvent[] }) {
  return (
    <ul aria-label={label} className="divide-y divide-line">
      {events.map((event) => (
        <Row key={event.id} event={event} />
      ))}
    </ul>
  );
}

function Row({ event }: { event: SecurityEvent }) {
  const { kind, isNewDevice, createdAt } = event;
  const { text, Icon, isFailure = false }: Meaning = MEANINGS[kind];
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 py-3 first:pt-0 last:pb-0 sm:grid-cols-[auto_minmax(0,1fr)_auto]">
      <Icon aria-hidden className={cn("mt-0.5 size-4 shrink-0", isFailure ? "text-notice" : "text-ink-3")} />
      <div className="grid min-w-0 gap-0.5">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-14 font-medium">
          {text}
          {isNewDevice && <Badge tone="notice">New device</Badge>}
        </p>
        <p className="text-13 text-ink-3 [overflow-wrap:anywhere]">{originText(event)}</p>
      </div>
      <time dateTime={createdAt} className="text-13 text-ink-2 max-sm:col-start-2 sm:text-right">
        {formatDateTime(createdAt)}
      </time>
    </li>
  );
}
