import { useState } from "react";
import { errorCode, errorMessage } from "@/api/client";
import { useSession, useUser } from "@/api/session";
import { Button, Checkbox, Dialog, LinkButton, Panel, toast } from "@/components";
import { PasswordField } from "@/components/password-field";
import { useNavigate } from "@/lib/address";
import { formatWire } from "@/lib/money";
import { useSingleSubmit } from "@/lib/use-single-submit";
import { closeAccount } from "./api";
import { isRemainder } from "./remainder";

/** Closes the account, after saying what happens. */
export function CloseAccount() {
  const [isOpen, setOpen] = useState(false);
  return (
    <Panel title="Close your account">
      <div className="grid max-w-[72ch] gap-4">
        <p className="text-pretty text-14 text-ink-2">
          A closed account cannot be used any more. Withdraw your balance first, and wait until withdrawals and deposits
          are finished. If you only want a break, exclude yourself from playing instead: that keeps your account.
        </p>
        <div className="flex flex-wrap gap-3">
          <Button variant="danger" onClick={() => setOpen(true)}>
            Close your account
          </Button>
          <LinkButton to="/settings?tab=limits">Take a break instead</LinkButton>
        </div>
      </div>
      {isOpen && <ClosureDialog onClose={() => setOpen(false)} />}
    </Panel>
  );
}

const CONSEQUENCES = [
  "You are signed out everywhere, and nobody can sign in with this account.",
  "Your name stays taken, and other players no longer see it.",
  "Your e-mail address gets a last mail and is removed.",
  "A self-exclusion stays in force, also for another account with the same e-mail address.",
  "Your data is kept, because the house must be able to account for every bet and payment.",
];

function ClosureDialog({ onClose }: { onClose(): void }) {
  const session = useSession();
  const navigate = useNavigate();
  const balance = useUser()?.balance ?? "0.00";
  const isAsked = isRemainder(balance);
  const [isGivenUp, setGivenUp] = useState(false);
  const [password, setPassword] = useState("");
  const [isShown, setShown] = useState(false);
  const [isClosing, setClosing] = useState(false);
  const [errors, setErrors] = useState<{ password?: string; remainder?: string; form?: string }>({});

  async function close() {
    const missing = {
      ...(isAsked && !isGivenUp ? { remainder: "Please confirm that you give up your balance" } : {}),
      ...(password === "" ? { password: "Please enter your password" } : {}),
    };
    setErrors(missing);
    if (Object.keys(missing).length > 0) return;
    setClosing(true);
    try {
      await closeAccount(password, isAsked ? balance : null);
      toast({ title: "Account Closed", description: "You have been signed out everywhere." });
      await session.setUser(null);
      navigate("/");
    } catch (failure) {
      setClosing(false);
      setPassword("");
      if (errorCode(failure) === "invalid_credentials") {
        setErrors({ password: "Incorrect password. Please try again." });
        return;
      }
      setErrors({ form: errorMessage(failure, "Your account could not be closed") });
      // The balance may be another one now.
      setGivenUp(false);
      void session.refresh();
    }
  }
  const onSubmit = useSingleSubmit(close);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !isClosing && onClose()}
      title="Close your account?"
      description="This takes effect at once. Only the operators of the house can open it again."
    >
      <form onSubmit={onSubmit} noValidate className="grid gap-5">
        <ul className="grid list-disc gap-1.5 pl-5 text-14 text-ink-2">
          {CONSEQUENCES.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
        {isAsked && (
          <Checkbox checked={isGivenUp} onCheckedChange={setGivenUp} error={errors.remainder}>
            I give up my balance of {formatWire(balance)}, which is too small to be withdrawn.
          </Checkbox>
        )}
        <PasswordField
          label="Your password"
          error={errors.password}
          isShown={isShown}
          onToggle={() => setShown(!isShown)}
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          autoComplete="current-password"
        />
        <p role="alert" className="text-14 text-notice empty:hidden">
          {errors.form}
        </p>
        <div className="flex flex-wrap justify-end gap-3">
          <Button onClick={onClose} disabled={isClosing}>
            Cancel
          </Button>
          <Button type="submit" variant="danger" loading={isClosing}>
            Close account
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
