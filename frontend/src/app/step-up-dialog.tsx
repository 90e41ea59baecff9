import { useState } from "react";
import { useForm } from "react-hook-form";
import { ApiError, errorCode, errorMessage } from "@/api/client";
import { useUser } from "@/api/session";
import { stepUp } from "@/api/step-up";
import { Button, Dialog, Field, Input, toast } from "@/components";
import { CodeField } from "@/components/code-field";
import { useSingleSubmit } from "@/lib/use-single-submit";

const WRONG = {
  invalid_credentials: "Incorrect password. Please try again.",
  invalid_second_factor: "This code is wrong or was already used. Please try the next one.",
} as const;
const isWrong = (code: string | undefined): code is keyof typeof WRONG => code !== undefined && code in WRONG;

/** Asks for the second factor or, of users without one, for the password. */
export default function StepUpDialog({ onConfirmed, onCancel }: { onConfirmed(): void; onCancel(): void }) {
  const hasSecondFactor = useUser()?.hasSecondFactor === true;
  const [isRecovery, setRecovery] = useState(false);
  const { register, handleSubmit, setError, setValue, setFocus, clearErrors, formState } = useForm({
    defaultValues: { entry: "" },
    reValidateMode: "onSubmit",
  });
  async function submit({ entry }: { entry: string }) {
    try {
      await stepUp(hasSecondFactor ? { secondFactor: entry } : { password: entry });
      onConfirmed();
    } catch (error) {
      const code = errorCode(error);
      if (error instanceof ApiError && error.status === 401 && !isWrong(code)) {
        // Too many wrong entries end the session. The page is replaced, but the toast stays.
        toast({
          title: "Session Lost",
          description: "You have been logged out or your session expired. Please log in again.",
          variant: "destructive",
        });
        return onCancel();
      }
      if (isWrong(code)) setValue("entry", "");
      const message = isWrong(code) ? WRONG[code] : errorMessage(error, "This could not be checked. Please try again.");
      setError("entry", { message }, { shouldFocus: true });
    }
  }
  const onSubmit = useSingleSubmit(handleSubmit(submit));
  const required = hasSecondFactor ? "Please enter a code" : "Please enter your password";
  const field = {
    ...register("entry", { required }),
    // oxlint-disable-next-line jsx-a11y/no-autofocus -- the only field of the dialog has the initial focus (ARIA's dialog pattern)
    autoFocus: true,
  };
  const error = formState.errors.entry?.message;
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onCancel()}
      title="Confirm your identity"
      description={`Please enter ${hasSecondFactor ? "your second factor" : "your password again"} to continue. What moves money or protects the account requires it every five minutes.`}
      footer={
        <>
          <Button onClick={onCancel}>Cancel</Button>
          <Button type="submit" form="step-up" variant="primary" loading={formState.isSubmitting}>
            Continue
          </Button>
        </>
      }
    >
      <form id="step-up" noValidate onSubmit={onSubmit}>
        {hasSecondFactor ? (
          <CodeField
            {...field}
            error={error}
            isRecovery={isRecovery}
            onToggle={() => {
              setRecovery(!isRecovery);
              setValue("entry", "");
              clearErrors();
              setFocus("entry");
            }}
          />
        ) : (
          <Field label="Password" error={error}>
            {(ids) => <Input {...ids} {...field} type="password" autoComplete="current-password" />}
          </Field>
        )}
      </form>
    </Dialog>
  );
}
