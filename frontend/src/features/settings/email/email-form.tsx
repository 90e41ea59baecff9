import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useState } from "react";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { byCode, type ErrorCode, errorMessage } from "@/api/client";
import { StepUpCancelled } from "@/api/step-up";
import { Button, Field, Input, toast } from "@/components";
import { PasswordField } from "@/components/password-field";
import * as refusals from "@/lib/refusals";
import { useSingleSubmit } from "@/lib/use-single-submit";
import { changeEmail, type Email, removeEmail } from "./api";

const password = z.string().check(z.minLength(1, "Please enter your password"));
const withAddress = z.object({
  email: z.string().check(z.trim(), z.regex(/^[^@\s]+@[^@\s]+\.[^@\s]+$/, refusals.email.text)),
  password,
});
/** The removal needs no address. */
const withoutAddress = z.object({ email: z.string(), password });
type Form = z.infer<typeof withAddress>;

/** The field that a refusal by the server is about. */
const FIELDS: Partial<Record<ErrorCode, keyof Form>> = { invalid_email: "email", invalid_credentials: "password" };

type EmailFormProps = { isRemoval: boolean; username: string; onDone(email: Email): void; onCancel(): void };

/** Sets, replaces or removes the address, which takes the password. */
export function EmailForm({ isRemoval, username, onDone, onCancel }: EmailFormProps) {
  const [isShown, setShown] = useState(false);
  const { register, handleSubmit, setError, setValue, formState } = useForm<Form>({
    resolver: standardSchemaResolver(isRemoval ? withoutAddress : withAddress),
    defaultValues: { email: "", password: "" },
  });
  async function submit(form: Form) {
    try {
      onDone(await (isRemoval ? removeEmail(form.password) : changeEmail(form.email, form.password)));
      if (isRemoval) toast({ title: "E-Mail Address Removed", description: "You get no more mails." });
      else toast({ title: "Mail Sent", description: `Open the link in the mail to ${form.email} within 24 hours.` });
    } catch (error) {
      if (error instanceof StepUpCancelled) return;
      const field = byCode(FIELDS, error);
      const message = errorMessage(error, "Something went wrong");
      if (field === undefined) {
        toast({ title: "Error", description: message, variant: "destructive" });
        return;
      }
      const isPassword = field === "password";
      if (isPassword) setValue(field, "");
      const text = isPassword ? "Incorrect password. Please try again." : message;
      setError(field, { message: text }, { shouldFocus: true });
    }
  }
  const { errors, isSubmitting } = formState;
  return (
    <form onSubmit={useSingleSubmit(handleSubmit(submit))} noValidate className="grid max-w-[420px] gap-4">
      {/* Password managers fill in the password of this user. */}
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      {!isRemoval && (
        <Field label="New e-mail address" hint="We send a link to it." error={errors.email?.message}>
          {(ids) => (
            <Input
              {...ids}
              {...register("email")}
              type="email"
              autoComplete="email"
              autoCapitalize="none"
              spellCheck={false}
            />
          )}
        </Field>
      )}
      <PasswordField
        label="Password"
        error={errors.password?.message}
        isShown={isShown}
        onToggle={() => setShown(!isShown)}
        {...register("password")}
        autoComplete="current-password"
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary" loading={isSubmitting}>
          {isRemoval ? "Remove address" : "Send link"}
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  );
}
