import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { byCode, errorMessage } from "@/api/client";
import { StepUpCancelled } from "@/api/step-up";
import { usePasswordStrength } from "@/api/password-strength";
import { Button, Panel, toast } from "@/components";
import { NewPasswordField } from "@/components/new-password-field";
import { PasswordField } from "@/components/password-field";
import { counted } from "@/lib/format";
import { useSingleSubmit } from "@/lib/use-single-submit";
import { changePassword } from "./api";
import { FIELDS, type PasswordChangeForm, passwordChangeSchema } from "./password-change";

const EMPTY: PasswordChangeForm = { currentPassword: "", newPassword: "" };

type ChangePasswordProps = {
  username: string;
  /** What the password to be replaced is called. */
  currentLabel?: string;
  /** For how many hours withdrawals are delayed afterwards, if they are. */
  delayHours?: number | undefined;
  onChanged(): void;
};

/** Changes the password, which ends all other sessions. */
export function ChangePassword({
  username,
  currentLabel = "Current password",
  delayHours = 0,
  onChanged,
}: ChangePasswordProps) {
  const [isCurrentShown, setCurrentShown] = useState(false);
  const [isNewShown, setNewShown] = useState(false);
  const { register, control, handleSubmit, setError, setValue, reset, formState } = useForm<PasswordChangeForm>({
    resolver: standardSchemaResolver(passwordChangeSchema),
    defaultValues: EMPTY,
  });
  const { errors } = formState;
  const strength = usePasswordStrength(useWatch({ control, name: "newPassword" }));
  async function change(form: PasswordChangeForm) {
    try {
      await changePassword(form);
      reset(EMPTY);
      setCurrentShown(false);
      setNewShown(false);
      toast({ title: "Password Changed", description: "All other sessions were ended. You stay signed in here." });
      onChanged();
    } catch (error) {
      if (error instanceof StepUpCancelled) return;
      const field = byCode(FIELDS, error);
      if (field === undefined) {
        const description = errorMessage(error, "Something went wrong");
        toast({ title: "Password Not Changed", description, variant: "destructive" });
        return;
      }
      const isWrong = field === "currentPassword";
      if (isWrong) setValue(field, "");
      const message = isWrong ? "Incorrect password. Please try again." : errorMessage(error, "Please choose another.");
      setError(field, { message }, { shouldFocus: true });
    }
  }
  const onSubmit = useSingleSubmit(handleSubmit(change));
  return (
    <Panel title="Password">
      <form onSubmit={onSubmit} noValidate className="grid max-w-[420px] gap-4">
        {/* Password managers store the new password for this user. */}
        <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
        <PasswordField
          label={currentLabel}
          error={errors.currentPassword?.message}
          isShown={isCurrentShown}
          onToggle={() => setCurrentShown(!isCurrentShown)}
          toggleLabel={`Show ${currentLabel.toLowerCase()}`}
          {...register("currentPassword")}
          autoComplete="current-password"
        />
        <NewPasswordField
          label="New password"
          strength={strength}
          hint="At least 6 characters, and none that are easy to guess."
          error={errors.newPassword?.message}
          isShown={isNewShown}
          onToggle={() => setNewShown(!isNewShown)}
          toggleLabel="Show new password"
          {...register("newPassword")}
        />
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button type="submit" variant="primary" loading={formState.isSubmitting}>
            Change password
          </Button>
          <p className="text-13 text-ink-3">
            All your other sessions end.
            {delayHours > 0 && ` Withdrawals that you request within ${counted(delayHours, "hour")} are delayed.`}
          </p>
        </div>
      </form>
    </Panel>
  );
}
