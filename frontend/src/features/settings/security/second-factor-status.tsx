import type { Passkey, SecondFactor } from "@/api/second-factor";
import { Badge, Button } from "@/components";
import { formatDateTime } from "@/lib/format";
import { canUsePasskeys } from "@/lib/passkeys";
import { PasskeyList } from "./passkey-list";
import { delayText, MAXIMUM_PASSKEYS, mayRemove, type Part } from "./second-factor-texts";

/** From here on, the user is told to make new ones. */
const FEW_CODES = 3;

type Actions = {
  /** What is being done: `enrolment`, `codes`, `authenticator` for its removal, or the ID of a passkey for its. */
  running: string | undefined;
  delayHours: number;
  onAddPasskey(): void;
  onEnrol(): void;
  onNewCodes(): void;
  onRemove(part: Part): void;
};

/** What a user without a second factor is offered. */
export function NoSecondFactor({ running, delayHours, onAddPasskey, onEnrol }: Actions) {
  const hasPasskeys = canUsePasskeys();
  return (
    <div className="grid gap-4">
      <p className="max-w-[72ch] text-pretty text-14 text-ink-2">
        With a second factor, a stolen password is worth nothing: signing in, withdrawals and changes of your security
        also need {hasPasskeys && "your passkey or "}a code from your phone.
        {hasPasskeys &&
          " A passkey is unlocked with your fingerprint, your face or a PIN, and signs you in without a password."}
      </p>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="flex flex-wrap gap-3">
          {hasPasskeys && (
            <Button variant="primary" onClick={onAddPasskey}>
              Add a passkey
            </Button>
          )}
          <Button variant={hasPasskeys ? "secondary" : "primary"} loading={running === "enrolment"} onClick={onEnrol}>
            Set up an authenticator
          </Button>
        </div>
        <p className="text-13 text-ink-3">All your other sessions end.{delayText(delayHours)}</p>
      </div>
    </div>
  );
}

type StatusProps = Actions & { state: SecondFactor };

/** What a user has as the second factor. */
export function SecondFactorStatus(props: StatusProps) {
  const { state, delayHours, running, onEnrol, onNewCodes, onRemove } = props;
  const { authenticatorSince, recoveryCodesLeft } = state;
  const hasAuthenticator = authenticatorSince !== null;
  return (
    <div className="grid gap-5">
      <Passkeys {...props} />
      <dl className="grid gap-3 text-14 sm:grid-cols-2">
        <div className="grid gap-0.5">
          <dt className="text-13 text-ink-3">Authenticator</dt>
          <dd className="font-medium">{hasAuthenticator ? `Set up ${formatDateTime(authenticatorSince)}` : "None"}</dd>
        </div>
        <div className="grid gap-0.5">
          <dt className="text-13 text-ink-3">Recovery codes</dt>
          <dd className="flex flex-wrap items-center gap-2 font-medium">
            {recoveryCodesLeft} of 10 left
            {recoveryCodesLeft <= FEW_CODES && <Badge tone="notice">Make new ones</Badge>}
          </dd>
        </div>
      </dl>
      <div className="flex flex-wrap gap-3">
        <Button loading={running === "codes"} onClick={onNewCodes}>
          New recovery codes
        </Button>
        <Button loading={running === "enrolment"} onClick={onEnrol}>
          {hasAuthenticator ? "Set up another authenticator" : "Set up an authenticator"}
        </Button>
        {hasAuthenticator && mayRemove(state) && (
          <Button loading={running === "authenticator"} onClick={() => onRemove("authenticator")}>
            Remove the authenticator
          </Button>
        )}
      </div>
      <p className="text-13 text-ink-3">
        {hasAuthenticator ? "Another authenticator" : "An authenticator"} ends all your other sessions and comes with
        new recovery codes in place of these. Removing a passkey ends all your other sessions, too.
        {delayText(delayHours)}
      </p>
    </div>
  );
}

function Passkeys({ state, running, onAddPasskey, onRemove }: StatusProps) {
  const { passkeys } = state;
  const isFull = passkeys.length >= MAXIMUM_PASSKEYS;
  const canAdd = canUsePasskeys();
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 className="text-14 font-semibold">Passkeys</h3>
        {canAdd && (
          <Button size="small" disabled={isFull} onClick={onAddPasskey}>
            Add a passkey
          </Button>
        )}
      </div>
      {passkeys.length > 0 ? (
        <PasskeyList
          passkeys={passkeys}
          removing={running}
          onRemove={mayRemove(state) ? (passkey: Passkey) => onRemove(passkey) : undefined}
        />
      ) : (
        <p className="text-pretty text-14 text-ink-2">
          None yet. A passkey is unlocked with your fingerprint, your face or a PIN, and signs you in without a
          password.
        </p>
      )}
      {!canAdd && <p className="text-13 text-ink-3">This browser cannot use passkeys at this address.</p>}
      {isFull && <p className="text-13 text-ink-3">You have reached the limit of {MAXIMUM_PASSKEYS} passkeys.</p>}
    </div>
  );
}
