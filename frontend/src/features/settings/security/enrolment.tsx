import { useState } from "react";
import { useForm } from "react-hook-form";
import { errorCode, errorMessage } from "@/api/client";
import { StepUpCancelled } from "@/api/step-up";
import { Button, CopyButton } from "@/components";
import { CodeField } from "@/components/code-field";
import { QrCode } from "@/components/qr-code";
import { useSingleSubmit } from "@/lib/use-single-submit";
import { type AuthenticatorSecret, confirmAuthenticator } from "./api";
import { RecoveryCodes } from "./recovery-codes";

type EnrolmentProps = {
  secret: AuthenticatorSecret;
  /** The set-up has to begin again, because it took too long. */
  onExpired(): void;
  /** Leaves the set-up, where something else can be chosen. */
  onBack?(): void;
  onDone(): void;
};

/** Sets an authenticator up: scan, enter its first code, save the recovery codes. */
export function Enrolment({ secret, onExpired, onBack, onDone }: EnrolmentProps) {
  const [codes, setCodes] = useState<readonly string[]>();
  if (codes !== undefined) return <RecoveryCodes codes={codes} onDone={onDone} />;
  return <FirstCode secret={secret} onExpired={onExpired} onConfirmed={setCodes} {...(onBack ? { onBack } : {})} />;
}

type FirstCodeProps = Pick<EnrolmentProps, "secret" | "onExpired" | "onBack"> & {
  onConfirmed(codes: readonly string[]): void;
};

function FirstCode({ secret, onExpired, onBack, onConfirmed }: FirstCodeProps) {
  const { register, handleSubmit, setError, setValue, formState } = useForm({
    defaultValues: { code: "" },
    reValidateMode: "onSubmit",
  });
  async function confirm({ code }: { code: string }) {
    try {
      onConfirmed(await confirmAuthenticator(code));
    } catch (error) {
      if (error instanceof StepUpCancelled) return;
      if (errorCode(error) === "enrolment_expired") return onExpired();
      const isWrong = errorCode(error) === "invalid_second_factor";
      if (isWrong) setValue("code", "");
      const message = isWrong
        ? "This code is wrong. Please enter the one that is shown now."
        : errorMessage(error, "The code could not be checked. Please try again.");
      setError("code", { message }, { shouldFocus: true });
    }
  }
  const onSubmit = useSingleSubmit(handleSubmit(confirm));
  return (
    <form onSubmit={onSubmit} noValidate className="grid gap-5">
      <ol className="grid list-decimal gap-2 pl-5 text-14 text-ink-2">
        <li>Open an authenticator, such as Aegis, Google Authenticator or your password manager.</li>
        <li>Scan this code with it, or type the secret.</li>
        <li>Enter the six digits that it then shows.</li>
      </ol>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-4">
        <QrCode text={secret.uri} label="QR code for your authenticator" className="size-44 shrink-0" />
        <div className="grid min-w-0 flex-1 basis-48 gap-1">
          <p className="text-13 text-ink-3">Secret</p>
          <p className="flex items-start gap-1">
            <code className="min-w-0 pt-2.5 text-14 [overflow-wrap:anywhere]">{inGroups(secret.secret)}</code>
            <CopyButton text={secret.secret} label="Copy the secret" />
          </p>
        </div>
      </div>
      <CodeField
        {...register("code", { required: "Please enter the code that your authenticator shows" })}
        error={formState.errors.code?.message}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary" loading={formState.isSubmitting}>
          Confirm
        </Button>
        {onBack && <Button onClick={onBack}>Back</Button>}
      </div>
    </form>
  );
}

/** Four characters at a time are easier to type. */
const inGroups = (secret: string): string => secret.match(/.{1,4}/g)?.join(" ") ?? secret;
