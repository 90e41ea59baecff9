import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import * as z from "zod/mini";
import { api, byCode, type ErrorCode, refusalMessage } from "@/api/client";
import { usePasswordStrength } from "@/api/password-strength";
import { useSession } from "@/api/session";
import { Button, ErrorState, LinkButton, Panel, toast } from "@/components";
import { NewPasswordField } from "@/components/new-password-field";
import * as refusals from "@/lib/refusals";
import { useSingleSubmit } from "@/lib/use-single-submit";
import { useLinkToken } from "./use-link-token";

const schema = z.object({ newPassword: z.string().check(z.minLength(6, refusals.passwordTooShort.text)) });
type Form = z.infer<typeof schema>;
type Outcome = "done" | "unusable" | null;

/** What a refusal by the server is about. */
const ABOUT: Partial<Record<ErrorCode, "password" | "link">> = {
  invalid_password: "password",
  password_too_common: "password",
  password_breached: "password",
  link_unusable: "link",
};

/** Chooses a new password with the link from a mail. */
export function NewPassword() {
  const token = useLinkToken();
  const { refresh } = useSession();
  const [isShown, setShown] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>(token === "" ? "unusable" : null);
  const { register, control, handleSubmit, setError, formState } = useForm<Form>({
    resolver: standardSchemaResolver(schema),
    defaultValues: { newPassword: "" },
  });
  const strength = usePasswordStrength(useWatch({ control, name: "newPassword" }));
  async function choose({ newPassword }: Form) {
    try {
      await api.POST("/api/password-recovery/complete", { body: { token, newPassword } });
      setOutcome("done");
      // A session of this browser has ended as well.
      await refresh();
    } catch (error) {
      const about = byCode(ABOUT, error);
      const message = refusalMessage(error, "Something went wrong");
      if (about === "link") setOutcome("unusable");
      else if (about === "password") setError("newPassword", { message }, { shouldFocus: true });
      else toast({ title: "Password Not Changed", description: message, variant: "destructive" });
    }
  }
  const onSubmit = useSingleSubmit(handleSubmit(choose));
  if (outcome === "unusable") return <UnusableLink again="/forgot-password" label="Ask for a new link" />;
  if (outcome === "done") {
    return (
      <Panel title="Password changed">
        <p role="status" className="text-14 text-ink-2">
          All sessions of your account have ended. Log in with your new password.
        </p>
        <LinkButton to="/auth" variant="primary" className="mt-5">
          Log in
        </LinkButton>
      </Panel>
    );
  }
  return (
    <Panel title="New password">
      <form onSubmit={onSubmit} noValidate className="grid max-w-[420px] gap-4">
        <NewPasswordField
          label="New password"
          strength={strength}
          hint="At least 6 characters, and none that are easy to guess."
          error={formState.errors.newPassword?.message}
          isShown={isShown}
          onToggle={() => setShown(!isShown)}
          {...register("newPassword")}
        />
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button type="submit" variant="primary" loading={formState.isSubmitting}>
            Change password
          </Button>
          <p className="text-13 text-ink-3">All your sessions end.</p>
        </div>
      </form>
    </Panel>
  );
}

/** A link that is of no use, and where to get another. */
export function UnusableLink({ again, label }: { again: string; label: string }) {
  return (
    <Panel title="This link does not work">
      <ErrorState
        title="The link cannot be used"
        description="It was used before, it is too old, or a newer mail has replaced it."
      />
      <LinkButton to={again}>{label}</LinkButton>
    </Panel>
  );
}
