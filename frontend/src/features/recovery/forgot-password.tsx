import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useState } from "react";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { api, byCode, refusalMessage } from "@/api/client";
import { Button, Field, Input, LinkButton, Panel, toast } from "@/components";
import * as refusals from "@/lib/refusals";
import { useSingleSubmit } from "@/lib/use-single-submit";

const schema = z.object({
  email: z.string().check(z.trim(), z.regex(/^[^@\s]+@[^@\s]+\.[^@\s]+$/, refusals.email.text)),
});
type Form = z.infer<typeof schema>;

/** Asks for a link with which a new password can be chosen. The answer is the same for every address. */
export function ForgotPassword() {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const { register, handleSubmit, setError, formState } = useForm<Form>({
    resolver: standardSchemaResolver(schema),
    defaultValues: { email: "" },
  });
  async function request(form: Form) {
    try {
      await api.POST("/api/password-recovery", { body: form });
      setSentTo(form.email);
    } catch (error) {
      const message = refusalMessage(error, "Something went wrong");
      if (byCode({ invalid_email: true }, error)) {
        setError("email", { message }, { shouldFocus: true });
      } else {
        toast({ title: "Mail Not Sent", description: message, variant: "destructive" });
      }
    }
  }
  const onSubmit = useSingleSubmit(handleSubmit(request));
  if (sentTo !== null) {
    return (
      <Panel title="Check your mail">
        <div role="status" className="grid gap-4 text-14 text-ink-2">
          <p className="text-pretty">
            If an account has confirmed <strong className="text-ink [overflow-wrap:anywhere]">{sentTo}</strong>, a mail
            with a link is on its way. The link works once, for 30 minutes.
          </p>
          <p className="text-pretty">
            No mail? Look into your spam folder, or try another address. Without a confirmed address, only the operator
            can help.
          </p>
        </div>
        <div className="mt-5 flex flex-wrap gap-3">
          <Button onClick={() => setSentTo(null)}>Use another address</Button>
          <LinkButton to="/auth">Back to login</LinkButton>
        </div>
      </Panel>
    );
  }
  return (
    <Panel title="Your e-mail address">
      <form onSubmit={onSubmit} noValidate className="grid max-w-[420px] gap-4">
        <Field
          label="E-mail address"
          hint="The one that you have confirmed for your account."
          error={formState.errors.email?.message}
        >
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
        <div className="flex flex-wrap gap-3">
          <Button type="submit" variant="primary" loading={formState.isSubmitting}>
            Send link
          </Button>
          <LinkButton to="/auth">Back to login</LinkButton>
        </div>
      </form>
    </Panel>
  );
}
