import { useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import { Button } from "@/components";
import { CodeField } from "@/components/code-field";
import { PasskeyButton } from "@/components/passkey-button";
import { canUsePasskeys } from "@/lib/passkeys";
import { useSingleSubmit } from "@/lib/use-single-submit";
import type { LoginForm } from "./schema";
import { usePasskeySignIn, useSignIn } from "./use-sign-in";

type SecondStepProps = {
  /** The username and the password, which was right. */
  credentials: LoginForm;
  onBack(): void;
};

/** Asks for the second factor after the password. */
export default function SecondStep({ credentials, onBack }: SecondStepProps) {
  const signIn = useSignIn();
  const passkey = usePasskeySignIn();
  const hasPasskeys = canUsePasskeys();
  const [isRecovery, setRecovery] = useState(false);
  const { register, handleSubmit, setError, setValue, setFocus, clearErrors, formState } = useForm({
    defaultValues: { secondFactor: "" },
    reValidateMode: "onSubmit",
  });
  // The password's field, which had the focus, is gone.
  useEffect(() => setFocus("secondFactor"), [setFocus]);
  async function submit({ secondFactor }: { secondFactor: string }) {
    if ((await signIn({ ...credentials, secondFactor })) !== "invalid_second_factor") return;
    setValue("secondFactor", "");
    const message = "This code is wrong or was already used. Please try the next one.";
    setError("secondFactor", { message }, { shouldFocus: true });
  }
  const onSubmit = useSingleSubmit(handleSubmit(submit));
  return (
    <form onSubmit={onSubmit} noValidate aria-label="Second factor" className="grid gap-4">
      <p role="status" className="text-pretty text-14 text-ink-2">
        {hasPasskeys
          ? "Your password is right. Now enter a code, or use a passkey if you have added one."
          : "Your password is right. Now enter your second factor. Passkeys cannot be used here; a recovery code replaces them."}
      </p>
      {/* Password managers connect the code with this user. */}
      <input type="text" name="username" autoComplete="username" value={credentials.username} readOnly hidden />
      <CodeField
        {...register("secondFactor", { required: "Please enter a code" })}
        error={formState.errors.secondFactor?.message}
        isRecovery={isRecovery}
        onToggle={() => {
          setRecovery(!isRecovery);
          setValue("secondFactor", "");
          clearErrors();
          setFocus("secondFactor");
        }}
      />
      <Button type="submit" variant="primary" size="large" loading={formState.isSubmitting}>
        Continue
      </Button>
      {hasPasskeys && (
        <PasskeyButton size="large" {...passkey}>
          Use a passkey
        </PasskeyButton>
      )}
      <Button onClick={onBack}>Back</Button>
    </form>
  );
}
