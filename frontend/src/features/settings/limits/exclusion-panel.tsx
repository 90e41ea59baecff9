import { type FormEvent, useRef, useState } from "react";
import { errorCode, errorMessage } from "@/api/client";
import { announceUser } from "@/api/session-signal";
import { useSession } from "@/api/session";
import { Button, ConfirmDialog, Field, LinkButton, Panel, Select, toast } from "@/components";
import { PasswordField } from "@/components/password-field";
import { formatDateTime } from "@/lib/format";
import { isPermanent, localTimeText } from "@/lib/limit-texts";
import { useNow } from "@/lib/use-now";
import { type Exclusion, exclude } from "./api";
import { DURATIONS, offeredDurations } from "./durations";

type ExclusionPanelProps = {
  current: Exclusion | null | undefined;
  /** All exclusions, newest first; the one in force may be among them. */
  earlier: readonly Exclusion[];
  onExcluded(): void;
};

/** Cool-off and self-exclusion. */
export function ExclusionPanel({ current, earlier, onExcluded }: ExclusionPanelProps) {
  const offered = offeredDurations(current, new Date(useNow()));
  const over = earlier.filter(({ since }) => since !== current?.since);
  return (
    <Panel title="Cool-off and self-exclusion">
      <div className="grid gap-4">
        {current && <InForce exclusion={current} />}
        {offered.length > 0 && (
          <ExclusionForm
            key={current?.until ?? "none"}
            offered={offered}
            isLonger={current != null}
            onExcluded={onExcluded}
          />
        )}
        {over.length > 0 && (
          <div className="border-t border-line pt-4">
            <h3 className="text-14 font-semibold">Earlier</h3>
            <ul className="mt-1 grid gap-1 text-13 text-ink-2">
              {over.map((exclusion) => (
                <li key={exclusion.since}>
                  {labelOf(exclusion)}, requested {formatDateTime(exclusion.since)}
                </li>
              ))}
            </ul>
          </div>
        )}
      </div>
    </Panel>
  );
}

const labelOf = ({ duration }: Exclusion): string =>
  DURATIONS.find(({ value }) => value === duration)?.label ?? duration;

function InForce({ exclusion }: { exclusion: Exclusion }) {
  const { until, since } = exclusion;
  return (
    <div className="grid gap-1 rounded-control border border-notice bg-well p-4 text-14">
      <p className="font-semibold">
        {isPermanent(until) ? "You are excluded permanently" : `You are excluded until ${localTimeText(until)}`}
      </p>
      <p className="text-pretty text-ink-2">
        {labelOf(exclusion)}, requested {formatDateTime(since)}. It cannot be ended or shortened, by anybody. You can
        sign in, finish rounds in play and withdraw your money.
      </p>
      <LinkButton to="/responsible-gaming" size="small" className="mt-2 justify-self-start">
        Where to find help
      </LinkButton>
    </div>
  );
}

type ExclusionFormProps = { offered: typeof DURATIONS; isLonger: boolean; onExcluded(): void };

function ExclusionForm({ offered, isLonger, onExcluded }: ExclusionFormProps) {
  const { user, refresh } = useSession();
  const nowMs = useNow();
  const [chosen, setChosen] = useState(offered[0]?.value ?? "permanent");
  const [password, setPassword] = useState("");
  const [isShown, setShown] = useState(false);
  const [error, setError] = useState<string>();
  const [isAsking, setAsking] = useState(false);
  const [isSending, setSending] = useState(false);
  const isBusy = useRef(false);
  const field = useRef<HTMLInputElement>(null);
  const duration = offered.find(({ value }) => value === chosen) ?? offered[0];
  if (!duration) return null;
  const { kind, value, phrase, end } = duration;
  const until = end === null ? null : localTimeText(end(new Date(nowMs)).toISOString());
  function refuse(reason: string) {
    setError(reason);
    field.current?.focus();
  }
  function ask(event: FormEvent) {
    event.preventDefault();
    if (password === "") refuse("Please enter your password");
    else setAsking(true);
  }
  async function confirm() {
    setAsking(false);
    if (isBusy.current) return;
    isBusy.current = true;
    setSending(true);
    try {
      const made = await exclude({ kind, duration: value, password });
      const ends = isPermanent(made.until) ? "permanently" : `until ${localTimeText(made.until)}`;
      toast({ title: "You Are Excluded", description: `No bets and no deposits ${ends}.` });
      setPassword("");
      // Every tab shows it at once.
      await refresh();
      announceUser(user?.id ?? null);
      onExcluded();
    } catch (refusal) {
      const isWrong = errorCode(refusal) === "invalid_credentials";
      setPassword(isWrong ? "" : password);
      refuse(isWrong ? "Incorrect password. Please try again." : errorMessage(refusal, "Something went wrong"));
    } finally {
      isBusy.current = false;
      setSending(false);
    }
  }
  return (
    <form onSubmit={ask} noValidate className="grid gap-4">
      <div className="grid max-w-[72ch] gap-2 text-14 text-ink-2">
        <p className="text-pretty">
          {isLonger
            ? "You can replace your exclusion by a longer one."
            : "Take a break: a cool-off lasts up to a month, a self-exclusion six months or longer."}{" "}
          It begins at once.
        </p>
        <ul className="grid list-disc gap-1.5 pl-5">
          <li>You cannot start a round of any game, and you cannot deposit.</li>
          <li>
            <strong className="font-semibold text-ink">It cannot be ended or shortened</strong>, neither by you nor by
            us. It ends only by time.
          </li>
          <li>You can still sign in, finish rounds in play, see your history and withdraw your money.</li>
          <li>Payments for open invoices are credited. Your limits stay as they are.</li>
        </ul>
      </div>
      <div className="grid max-w-[420px] gap-4">
        {/* Password managers fill in the password of this user. */}
        <input type="text" name="username" autoComplete="username" value={user?.username ?? ""} readOnly hidden />
        <Field label="How long" hint={until === null ? "It never ends." : `Until about ${until}.`}>
          {(ids) => (
            <Select
              {...ids}
              label="How long"
              value={value}
              onValueChange={(next) => setChosen(offered.find((other) => other.value === next)?.value ?? chosen)}
              options={offered}
            />
          )}
        </Field>
        <PasswordField
          ref={field}
          label="Your password"
          name="exclusion-password"
          autoComplete="current-password"
          error={error}
          isShown={isShown}
          onToggle={() => setShown(!isShown)}
          toggleLabel="Show your password"
          value={password}
          onChange={(event) => {
            setPassword(event.target.value);
            setError(undefined);
          }}
        />
        <Button type="submit" className="justify-self-start" loading={isSending}>
          Exclude me {phrase}
        </Button>
      </div>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`Exclude yourself ${phrase}?`}
        description={`${until === null ? "From now on" : `Until about ${until}`} you cannot bet or deposit. Nobody can end or shorten this, whatever the reason.`}
        cancelLabel="Go back"
        confirmLabel={`Exclude me ${phrase}`}
        onConfirm={() => void confirm()}
      />
    </form>
  );
}
